import { describe, expect, test } from "vitest";
import { asksForHelp, plainWords } from "./idioms.ts";

describe("everyday ways of asking", () => {
  test.each([
    ["what's in README.md?", "show the contents of the file README.md"],
    ["What does the file docs/a.md say?", "show the contents of the file docs/a.md"],
    ["cat notes.txt", "show the contents of the file notes.txt"],
    ["README.mdには何が書いてありますか", "show the contents of the file README.md"],
    ["ls", "list the files"],
    ["ls -la src/", "list the files in src"],
    ["what is in the docs folder?", "list the files in docs"],
    ["what's in src?", "list the files in src"],
    ["show me the contents of the test directory", "list the files in test"],
    ["show the files in the current directory", "list the files"],
    ["srcフォルダの中を見せて", "list the files in src"],
    ["docsディレクトリには何がありますか", "list the files in docs"],
    ["where is createRanker defined?", "find createRanker in the code"],
    ["createRankerはどこで使われていますか", "find createRanker in the code"],
    ["find all Markdown files", "find *.md files"],
    ["Pythonのファイルを探して", "find *.py files"],
    ["git status", "run the command: git status"],
    ["npm run build -- --watch", "run the command: npm run build -- --watch"],
    ["how many lines are in a.ts?", "run the command: wc -l a.ts"],
    ["find the word ranker in docs", 'find "ranker" in docs'],
    ["月という言葉を含む投稿", "「月」を含む投稿"],
    ["show the README", "show the README.md"],
    ["I want to see the README", "show the README.md"],
    ["let me look at a.ts", "show a.ts"],
    ["look for console.log in src", "search for console.log in src"],
  ])("%s is %s", (said, meant) => {
    expect(plainWords(said)).toBe(meant);
  });

  test.each([
    "what is in season?",
    "what's in stock at Amazon?",
    "show README.ja.md",
    "git history of this project",
    "node is what?",
    "現在のディレクトリのファイル一覧を表示して",
    "where is Tokyo?",
    "go to the shop",
    "make a list",
  ])("%s stays as it is", (said) => {
    expect(plainWords(said)).toBe(said);
  });

  test("a long request is no idiom, and costs nothing", () => {
    const long = `ls ${"a/".repeat(200_000)}`;
    expect(plainWords(long)).toBe(long);
  });
});

test("questions about the planner itself are known, others are not", () => {
  for (const text of ["help", "What can you do?", "which tools do you have?", "何ができますか", "こんにちは"])
    expect(asksForHelp(text)).toBe(true);
  for (const text of ["help me find a.txt", "what can you find in src?", "使い方.mdを読んで", "hi.txt"])
    expect(asksForHelp(text)).toBe(false);
});
