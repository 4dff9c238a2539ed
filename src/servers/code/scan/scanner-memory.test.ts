/** What the scanner does with its memory: growing, what earlier files left, and what has no bound of its own. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources under test have templates of their own
import { expect, test } from "vitest";
import { languageOfPath, syntaxOf } from "../languages/index.ts";
import type { Syntax } from "../languages/syntax.ts";
import { Scanner, scannerModule } from "./scanner.ts";

function syntaxFor(path: string): Syntax {
  return syntaxOf(languageOfPath(path), path);
}

const typescript = syntaxFor("x.ts");
const python = syntaxFor("x.py");
const ruby = syntaxFor("x.rb");

function count(path: string, source: string) {
  return scanWith(new Scanner(scannerModule()), source, syntaxFor(path));
}

function scanWith(scanner: Scanner, source: string, syntax: Syntax) {
  const bytes = Buffer.from(source);
  scanner.room(bytes.length).set(bytes);
  return scanner.scan(bytes.length, syntax);
}

test("room grows for a large file, and small files fit again", () => {
  const scanner = new Scanner(scannerModule());
  const small = scanner.room(10);
  expect(scanner.room(small.length - 1)).toBe(small);
  const line = "if (a) { b(); } // c\n";
  const large = line.repeat(Math.ceil((3 * small.length) / line.length));
  expect(scanWith(scanner, large, typescript)).toMatchObject({ lines: large.length / line.length });
  expect(scanner.room(0).length).toBeGreaterThan(large.length);
  expect(small.length).toBe(0); // The old view is gone with the old memory.
  expect(scanWith(scanner, line, typescript)).toMatchObject({ lines: 1, code: 1, decisions: 1 });
});

test("conditional types are told from conditions to the end of a full room", () => {
  const scanner = new Scanner(scannerModule());
  const size = scanner.room(0).length - 1;
  const unit = "type A<T> = T extends B ? C : D; e = f ? g : h;\n";
  const source = unit.repeat(Math.floor(size / unit.length)).padEnd(size);
  expect(scanWith(scanner, source, typescript).decisions).toBe(Math.floor(size / unit.length));
  expect(scanner.room(0).length).toBe(size + 1);
});

test("more than the room holds is refused", () => {
  const scanner = new Scanner(scannerModule());
  expect(() => scanner.scan(scanner.room(0).length, typescript)).toThrow("do not fit");
});

test("nothing behind the end is read, whatever an earlier file left there", () => {
  const scanner = new Scanner(scannerModule());
  for (const source of [
    "a = /b\\",
    "a = ?",
    "#",
    "a = '\\",
    "a ? b",
    "a",
    "`${",
    "<<A",
    "<p",
    "case a in b",
  ]) {
    for (const path of ["x.ts", "x.tsx", "x.rb", "x.c", "x.sh", "x.php", "x.py", "x.rs", "x.json"]) {
      const syntax = syntaxFor(path);
      const fresh = scanWith(new Scanner(scannerModule()), source, syntax);
      for (const left of ["\n/ if && : ?\n'\"`)}]".repeat(9), "x".repeat(200)]) {
        scanner.room(300).fill(left, 0, 300);
        expect(scanWith(scanner, source, syntax)).toEqual(fresh);
      }
    }
  }
});

test("a zero byte inside a file is not its end", () => {
  expect(count("x.ts", "a\0\nif (b) {}\n/* \0 */ `\0`\nif (c) {}\n")).toMatchObject({
    lines: 4,
    decisions: 2,
  });
  expect(count("x.md", "\0\n\0")).toMatchObject({ lines: 2 });
});

test("words, spaces and strings of any length end where they end", () => {
  for (let length = 1; length < 70; length += 1) {
    const [word, spaces, text] = ["a".repeat(length), " ".repeat(length), "é".repeat(length)];
    const lines = [
      `${word}if (b) {}`,
      `${text}if (b) {}`,
      `${spaces}if (b) {}`,
      `"${text}"; if (b) {} // "`,
      `\`${word}\${c ? "${word}" : d}${text}\`; if (e) {}`,
      `'${word}\\'if (b) {}'; if (c) {}`,
      `"${word}\t${word}"; if (b) {}`,
    ];
    expect(lines.map((line) => count("x.ts", line).decisions)).toEqual([0, 0, 1, 1, 2, 1, 1]);
    const heredoc = `a = <<~${word}\n  ${word} if\n  #{b ? c : d}\n${spaces}${word}\ne if f\n`;
    expect(count("x.rb", heredoc)).toMatchObject({ lines: 5, decisions: 2 });
    expect(count("x.css", `${text}/* ${word} */${spaces}\n/*${text}*/\n`)).toMatchObject({
      code: 1,
      comments: 1,
    });
  }
});

test("ASCII is told from what has a zero or more than seven bits, wherever that is", () => {
  const scanner = new Scanner(scannerModule());
  const room = scanner.room(100);
  for (let length = 0; length < 50; length += 1) {
    room.fill(0xff).fill("\x01~\x7f", 0, length);
    expect(scanner.isAscii(length)).toBe(true);
    for (let at = 0; at < length; at += 1) {
      for (const byte of [0, 0x80, 0xff]) {
        const before = room[at] as number;
        room[at] = byte;
        expect(scanner.isAscii(length)).toBe(false);
        room[at] = before;
      }
    }
  }
});

test("two languages in turn keep their own rules", () => {
  const scanner = new Scanner(scannerModule());
  for (let i = 0; i < 3; i += 1) {
    expect(scanWith(scanner, "# if\nif a and b: pass\n", python)).toMatchObject({
      comments: 1,
      decisions: 2,
    });
    expect(scanWith(scanner, "// if\nif (a && b) c;\n", typescript)).toMatchObject({
      comments: 1,
      decisions: 2,
    });
  }
});

test("more languages than there is room for are written again when they come back", () => {
  const scanner = new Scanner(scannerModule());
  const size = scanner.room(0).length;
  for (let i = 0; i < 400; i += 1) {
    const keyword = `if${i}`;
    const syntax = { comments: ["//"], words: { decisions: keyword } };
    expect(scanWith(scanner, `${keyword} if // ${keyword}\n`, syntax).decisions).toBe(1);
    expect(scanWith(scanner, "if (a) {}\n", typescript).decisions).toBe(1);
  }
  expect(scanner.room(0).length).toBe(size);
});

test("a file with as many brackets as are remembered, and one more", () => {
  for (const depth of [4095, 4096, 4097, 5000]) {
    const source = `${"{[(".repeat(depth / 3)}\n${")]}".repeat(depth / 3)}\nif (a) {}\nlet b = () => 1;\n`;
    expect(count("x.ts", source)).toMatchObject({ lines: 4, decisions: 1, functions: 1 });
  }
});

test("literals with ever new ends need no memory", () => {
  const scanner = new Scanner(scannerModule());
  const size = scanner.room(0).length;
  for (let file = 0; file < 20; file += 1) {
    const labels = Array.from({ length: 1000 }, (_, i) => `L${file}_${i}`);
    const heredocs = labels.map((label) => `a = <<~${label}\n  if #{b ? c : d}\n  ${label}\n`).join("");
    expect(scanWith(scanner, heredocs, ruby)).toMatchObject({ lines: 3000, decisions: 1000 });
    const raw = labels.map((label) => `auto a = R"${label}(if && " )${label}"; if (b) {}\n`).join("");
    const cpp = syntaxFor("x.cpp");
    expect(scanWith(scanner, raw, cpp)).toMatchObject({ lines: 1000, decisions: 1000 });
  }
  const percents = [..."!/|^~*+,.;:@&\"'"].map((sign) => `a = %q${sign}if && b${sign}\nc if d\n`).join("");
  expect(scanWith(scanner, percents, ruby).decisions).toBe(15);
  expect(scanner.room(0).length).toBe(size);
});

test("several here-documents of one line follow each other, in Ruby and in a shell", () => {
  expect(count("x.rb", "f(<<A, <<B)\nif\nA\nif\nB\nc if d\n")).toMatchObject({ lines: 6, decisions: 1 });
  const shell = "cat <<A <<B\n$(cat <<C\nif\nC\n)\nA\nif\nB\nif c; then :; fi\n";
  expect(count("x.sh", shell)).toMatchObject({ lines: 9, decisions: 1 });
});

test("a page of thousands of tags, and code nested as deep as one likes, need no stack", () => {
  const page = `const a = <p>${"<b>if</b><i/>".repeat(50_000)}</p>;\nif (c) {}\n`;
  expect(count("x.tsx", page)).toMatchObject({ lines: 2, decisions: 1 });
  expect(count("x.ts", `${"(".repeat(200_000)}{ () => a`)).toMatchObject({ lines: 1, functions: 1 });
  for (const open of ["${a:-", "$((", '"${', "case a in b) ", "`$(", "cat <<A\n$("]) {
    const source = open.repeat(20_000);
    expect(count("x.sh", source).lines).toBe(source.split("\n").length);
  }
});

test.each([
  ["x.go", "func ("],
  ["x.rs", "fn x("],
  ["x.py", "case (\n"],
  ["x.tsx", "<T>("],
  ["x.ts", "[/"],
  ["x.ts", "extends "],
  ["x.swift", "#"],
])("%s: megabytes of %j, each of which would look to the end of the file, are read in time", (path, unit) => {
  const megabytes = unit.repeat(Math.ceil((4 << 20) / unit.length));
  expect(count(path, `${megabytes}\n`).lines).toBe(megabytes.split("\n").length);
});

test("a tag whose name is not ASCII has its end found", () => {
  const source = "const a = <É>(b)</É>;\nconst c = d ? 1 : 2;\n";
  expect(count("x.tsx", source)).toMatchObject({ decisions: 1 });
  expect(count("x.tsx", source)).toEqual(count("x.tsx", source.replaceAll("É", "E")));
});
