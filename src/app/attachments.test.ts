import { describe, expect, test } from "vitest";
import { parseAttachments, unfinishedAttachment } from "./attachments.ts";

/** As short as can be: what was written, what it may mean, a question mark when it may be nothing. */
function read(text: string): string[] {
  return parseAttachments(text).map(({ start, readings, sure }) => {
    const means = readings.map(({ end, target }) => {
      const meant = target.type === "path" ? target.path : `${target.extension ?? "*"} ${target.uri}`;
      return text.slice(start, end) === `@${meant}` ? meant : `${text.slice(start, end)} = ${meant}`;
    });
    return `${means.join(" | ")}${sure ? "" : " ?"}`;
  });
}

describe("an attachment", () => {
  test.each([
    ["look at @./a.txt please", ["./a.txt"]],
    ["@src/main.ts", ["src/main.ts"]],
    ["@README.md", ["README.md"]],
    ["@Makefile", ["Makefile ?"]],
    ["@../up.txt and @/etc/hosts and @~/x", ["../up.txt", "/etc/hosts", "~/x"]],
    ["@.env", [".env ?"]],
    ['@"a b.txt" and @"日本 語.txt"', ['@"a b.txt" = a b.txt', '@"日本 語.txt" = 日本 語.txt']],
    ["@shelf:shelf://note", ["@shelf:shelf://note = shelf shelf://note"]],
    ["@code:code://file/src/a.ts", ["@code:code://file/src/a.ts = code code://file/src/a.ts"]],
    ['@shelf:"shelf://a b"', ['@shelf:"shelf://a b" = shelf shelf://a b']],
    ['@"shelf:shelf://a b"', ['@"shelf:shelf://a b" = shelf shelf://a b']],
    ["@memory:note", ["@memory:note = memory note ?"]],
    ["@file:///x/y.txt", ["@file:///x/y.txt = * file:///x/y.txt"]],
    ["@https://example.com/a?b=c", ["@https://example.com/a?b=c = * https://example.com/a?b=c"]],
    ["@C:\\x.txt", ["C:\\x.txt ?"]],
    ["@src/(app)/[id]/page.tsx", ["src/(app)/[id]/page.tsx"]],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ["see @a.txt.", ["a.txt"]],
    ["(@a.txt)", ["a.txt"]],
    ["[@a.txt]: x", ["a.txt"]],
    ["@a.txt, @b.txt; @c.txt!", ["a.txt", "b.txt", "c.txt"]],
    ["is it @a.txt?", ["a.txt"]],
    ["**@a.txt**", ["a.txt"]],
    ["see:@a.txt", ["a.txt"]],
    ["「@a.txt」と（@b.txt）を、@c.txt。", ["a.txt", "b.txt", "c.txt"]],
    ["『@五月雨.txt』", ["五月雨.txt"]],
    ["　@a.txt　", ["a.txt"]],
    ["＠a.txt", ["＠a.txt = a.txt"]],
  ])("punctuation around it is not part of it: %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ["@README.mdを読んで", ["README.mdを読んで | README.mdを読 | README.md"]],
    ["この@a.tsと@b.tsを比べて", ["a.tsと | a.ts", "b.tsを比べて | b.tsを比 | b.ts"]],
    ["@五月雨.txtを", ["五月雨.txtを | 五月雨.txt"]],
    ["@第1回/メモを見て", ["第1回/メモを見て | 第1回/メモを見 | 第1回/メモ | 第1回/ | 第1"]],
    [
      "@shelf:shelf://noteを",
      ["@shelf:shelf://noteを = shelf shelf://noteを | @shelf:shelf://note = shelf shelf://note"],
    ],
  ])("where Japanese goes on without a space there are shorter readings: %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    "mail user@host.com or user.name+tag@例え.jp now",
    "git@github.com:org/repo.git",
    "ssh root@10.0.0.1",
    "node_modules/@types/node",
    "$@ and #@ and @@ -1,2 +1,3 @@",
    "@Injectable() class A {}",
    '@app.route("/x")',
    "@Component({ selector: 'x' })",
    "@Input() name",
    "`@a.txt` and ``@b.txt``",
    "```css\n@import 'a.css';\n@font.face/x\n```",
    "~~~\n@a/b\n",
    "a @ b",
    "@",
    "@。",
    "everyone@",
    "é@a.txt",
  ])("nothing is attached by: %s", (text) => {
    expect(read(text)).toEqual([]);
  });

  test.each(["@media (max-width: 600px)", "@param x the thing", "@everyone: hello", "@komachi さん"])(
    "what may be a word is left to whether there is such a file: %s",
    (text) => {
      expect(parseAttachments(text).map(({ sure }) => sure)).toEqual([false]);
    },
  );

  test("a text of a million @ is read in a moment", () => {
    const words = "@a ".repeat(100_000);
    expect(parseAttachments(words)).toHaveLength(100_000);
  });
});

describe("an attachment that is being written", () => {
  test.each([
    ["@", 0, ""],
    ["look @sh", 5, "sh"],
    ["@shelf:shelf://po", 0, "shelf:shelf://po"],
    ["見て@./日", 2, "./日"],
    ['@"a b', 0, '"a b'],
    ['@shelf:"a b', 0, 'shelf:"a b'],
    ["@a.txt @b", 7, "b"],
    ["node_modules/x @node_modules/@ty", 15, "node_modules/@ty"],
  ])("%s", (text, start, typed) => {
    expect(unfinishedAttachment(text)).toEqual({ start, typed });
  });

  test.each(["", "a", "user@ho", "@a.txt ", '@"a b" ', "`@a` `@b`", "a @ b"])("not in: %s", (text) => {
    expect(unfinishedAttachment(text)).toBeUndefined();
  });
});
