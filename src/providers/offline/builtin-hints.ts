/**
 * Data: what the builtin extensions' own resources are about, in the words people ask with. It is looked at only
 * where the extension is connected. No answers here, only where the answers are.
 */
import type { ResourceHint } from "./resource-hints.ts";

export const BUILTIN_HINTS: readonly ResourceHint[] = [
  {
    extension: "code",
    uri: "code://stats/languages",
    name: "language statistics",
    description:
      "How many lines and files of each programming language are in the project: TypeScript JavaScript Python Java Go Rust C C++ C# Ruby PHP Kotlin Swift Shell HTML CSS SQL. Lines of code per language. プロジェクトのプログラミング言語ごとの行数 ファイル数 統計 割合",
  },
  {
    extension: "code",
    uri: "code://stats/overview",
    name: "project overview statistics",
    description:
      "Overview of the whole project: total number of files, total lines of code, number of languages. プロジェクト全体の概要 統計 総ファイル数 総行数",
  },
  {
    extension: "code",
    uri: "code://stats/complexity",
    name: "complexity statistics",
    description:
      "Code complexity of the project: average and highest complexity, most complex files. 複雑度 複雑さ 平均 最大 複雑なファイル",
  },
  {
    extension: "code",
    uri: "code://stats/files",
    name: "file statistics",
    description:
      "Statistics of every file of the project: lines, size in bytes, language, largest, biggest and longest files, when modified. ファイルごとの統計 行数 サイズ 更新日時",
  },
  {
    extension: "code",
    uri: "code://file/{file_path}",
    name: "read project file",
    description:
      "Read, show, view, open, print the contents of one file of the project by its path. ファイルの内容 中身 を表示 読む 見る 開く",
  },
];
