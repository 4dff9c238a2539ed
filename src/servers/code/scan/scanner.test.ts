// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources under test have templates of their own
import { describe, expect, test } from "vitest";
import { languageOfPath, syntaxOf } from "../languages/index.ts";
import { sharedScanner } from "./scanner.ts";

function count(path: string, source: string) {
  const bytes = Buffer.from(source);
  const scanner = sharedScanner();
  scanner.room(bytes.length).set(bytes);
  return scanner.scan(bytes.length, syntaxOf(languageOfPath(path), path));
}

const decisions = (path: string, source: string) => count(path, source).decisions;

describe("lines", () => {
  test.each([
    ["nothing", "", 0],
    ["one unterminated line", "a", 1],
    ["one line", "a\n", 1],
    ["a blank line counts", "a\n\n", 2],
    ["CRLF is one end", "a\r\nb\r\n", 2],
    ["a lone CR ends a line", "a\rb\rc", 3],
    ["mixed ends", "a\nb\r\nc\rd", 4],
    ["CR CR LF are two ends", "a\r\r\nb", 3],
  ])("%s", (_name, source, lines) => {
    for (const path of ["x.ts", "x.py", "x.json", "x.md", "x.sh", "x.php", "x.rb"])
      expect(count(path, source).lines).toBe(lines);
  });

  test("code, comment and blank are told apart; a blank line in a comment is blank", () => {
    const source = "/*\n\n text\n*/\nlet a = 1; // with a comment\n\n// only\n  \t\nlet b;\n";
    expect(count("x.ts", source)).toMatchObject({ lines: 9, code: 2, comments: 4 });
  });

  test("a byte-order mark is not code", () => {
    expect(count("x.ts", "\ufeff// only\n")).toMatchObject({ lines: 1, code: 0, comments: 1 });
  });

  test("comment signs in strings are no comments", () => {
    expect(count("x.ts", 'a = "// no";\nb = `/* no`;\nc = 1; // */\n')).toMatchObject({
      code: 3,
      comments: 0,
    });
    expect(count("x.py", 'a = "# no"\n# yes\n')).toMatchObject({ code: 1, comments: 1 });
  });

  test("Python documentation strings are comments, other strings are code", () => {
    expect(count("x.py", '"""Module.\n\nMore."""\nx = """text\ntext"""\n')).toMatchObject({
      code: 2,
      comments: 2,
    });
    expect(
      count("x.py", 'def f():\n    r"""Doc."""\n    return f(\n        """arg"""\n    )\n'),
    ).toMatchObject({ code: 4, comments: 1 });
  });

  test("nested comments where the language nests them", () => {
    expect(count("x.rs", "/* a /* b */ c */\nfn f() {}\n")).toMatchObject({ code: 1, comments: 1 });
    expect(count("x.java", "/* a /* b */ int c; /* d */\n")).toMatchObject({ code: 1, comments: 0 });
  });

  test("markup, styles and data have comments too", () => {
    expect(count("x.html", "<!-- a\nb -->\n<p></p>\n")).toMatchObject({ code: 1, comments: 2 });
    expect(count("x.css", "/* a */\np { color: red } /* b */\n")).toMatchObject({ code: 1, comments: 1 });
    expect(count("x.yaml", "# a\nb: c # d\ne: 'f#g'\n")).toMatchObject({ code: 2, comments: 1 });
    expect(count("x.json", '{\n\n"a": "// b"\n}\n')).toMatchObject({ code: 3, comments: 0 });
  });
});

describe("decisions everywhere", () => {
  test.each([
    [
      "x.ts",
      "if (a && b || c ?? d) {} else if (e) {} for (;;) {} while (f) {} do {} while (g)\nh ? i : j; switch (k) { case 1: case 2: default: } try {} catch {} a &&= b; a ||= c; a ??= d",
      15,
    ],
    [
      "x.java",
      "if (a && b || c) {} else if (e) {} for (;;) {} for (int x : y) {} while (f) {} do {} while (g); int z = h ? i : j; switch (k) { case 1: case 2, 3: default: } try {} catch (E e) {}",
      12,
    ],
    [
      "x.py",
      "if a and b or c:\n  pass\nelif d:\n  pass\nfor x in y:\n  pass\nwhile z:\n  pass\ntry:\n  pass\nexcept E:\n  pass\nv = [i for i in j if k]\nw = l if m else n\n",
      10,
    ],
    [
      "x.go",
      "func f() { if a && b || c {} else if d {}; for i := range x {}; switch y { case 1, 2: case 3: default: }; select { case <-z: default: } }",
      8,
    ],
    [
      "x.rs",
      "fn f() { if a && b || c {} else if d {} for i in x {} while y {} loop {} match z { A => 1, B | C if q => 2, _ => 3 } }",
      10,
    ],
    [
      "x.c",
      "int f() { if (a && b || c) ; else if (d) ; for (;;) ; while (e) ; do ; while (g); switch (h) { case 1: case 2: default: ; } return i ? j : k; }",
      10,
    ],
    [
      "x.cs",
      "if (a && b || c ?? d) {} foreach (var x in y) {} while (z) {} switch (w) { case 1: default: break; } var v = u switch { 1 => 2, 3 => 4, _ => 5 }; t ??= s; try {} catch {} r = q ? p : o;",
      12,
    ],
    [
      "x.php",
      "<?php if ($a && $b || $c ?? $d) {} elseif ($e) {} foreach ($f as $g) {} $h = $i ? 1 : 2; $j = $k ?: 3; switch ($l) { case 1: default: } $m = match ($n) { 1 => 2, default => 3 }; try {} catch (E $e) {}",
      11,
    ],
    [
      "x.rb",
      "if a && b || c\nelsif d\nend\nx unless e\nwhile f do end\ncase g\nwhen 1 then 2\nend\nbegin; rescue E; end\ny = h ? 1 : 2\nz ||= 3\n",
      10,
    ],
    [
      "x.sh",
      'if a && b || c; then :; elif d; then :; fi\nfor i in 1; do :; done\nwhile e; do :; done\ncase "$f" in a) ;; b|c) ;; *) ;; esac\n[[ -n $x && -z $y ]]\n',
      9,
    ],
    [
      "x.kt",
      "fun f() { if (a && b || c) {} for (i in x) {} while (y) {} val z = w ?: v; when (u) { 1 -> 2; is String -> 3; else -> 4 }; try {} catch (e: E) {} }",
      9,
    ],
    [
      "x.swift",
      "if a && b || c {} else if d {}\nguard e else {}\nfor f in g {}\nwhile h {}\nlet i = j ? k : l\nlet m = n ?? o\nswitch p { case 1: break; case 2, 3: break; default: break }\ndo {} catch {}\n",
      12,
    ],
    [
      "x.scala",
      "if (a && b || c) 1 else 2\nfor (i <- x) y\nwhile (z) w\nv match { case 1 => 2; case _ => 3 }\n",
      6,
    ],
    ["x.lua", "if a and b or c then elseif d then end for i = 1, 2 do end while e do end repeat until f", 7],
    [
      "x.ps1",
      "if ($a -and $b -or $c) {} elseif ($d) {} foreach ($e in $f) {} while ($g) {} try {} catch {}",
      7,
    ],
  ])("%s", (path, source, expected) => expect(decisions(path, source)).toBe(expected));
});

describe("functions", () => {
  test.each([
    ["generic methods", "x.ts", "class A { f<T>(a: T): T { return a; } } if (a > (b)) { c<d>(e); }", 1],
    [
      "types of functions are none",
      "x.ts",
      `type F = (a: string) => void; type G<T> = (a: T) => (b: T) => void;
interface I { a: () => void; b?: (c: number) => void; /** d */ e: () => void; [k: string]: () => void }
class A { private f: (() => void)[] = []; g!: () => void; h = new Map<string, () => void>(); }
let i: (j: string) => void; k as () => void; type L = { m: () => void, n: (() => void) | null };`,
      0,
    ],
    [
      "functions beside their types are",
      "x.ts",
      `const a: (b: string) => void = (b) => {}; const c = { d: () => 1, e: (f: () => void) => f, [g]: () => 2 };
h(i ? j : (k) => l, (m) => n); function o(p: (q: number) => void): () => void { return () => p(1); }
class R { s(t: () => void): () => void { return t; } u = () => 1; } const v = async (w) => w;`,
      11,
    ],
    [
      "generic methods with constraints",
      "x.cs",
      "class A { void F<T>() where T : class, new() { } A(int x) : base(x) { } T G<T>(T x) where T : I => x; }",
      3,
    ],
    [
      "C++ constructors with initializers, call operators, structured bindings",
      "x.cpp",
      "A::A(int x) : B{x}, c(1), d<int>{2} { }\nbool operator()(int x) const { return 1; }\nvoid f() { for (auto& [a, b] : c) { } }\nA() = default;\n",
      3,
    ],
  ])("%s", (_name, path, source, expected) => expect(count(path, source).functions).toBe(expected));
});

describe("known traps", () => {
  test.each([
    [
      "names that look like keywords",
      "x.ts",
      "p.catch(f).finally(g); ({ if: 1, case: 2, for: 3 }); x.if(); interface I { catch?: string }",
      0,
    ],
    [
      "optional members, chains and parameters",
      "x.ts",
      "a?.b?.[c]?.(d); interface I { e?: f; g?(): h } function i(j?: k, l?) {}",
      0,
    ],
    [
      "conditional types",
      "x.ts",
      "type A<T> = T extends string ? 1 : T extends { a: infer U extends number } ? U : never; const b = c ? 1 : 2;",
      1,
    ],
    [
      "constraints are no conditions",
      "x.ts",
      "function f<T extends keyof U>(a: T) { return a ? 1 : 2 } class A extends B { c = d ? e : f }",
      2,
    ],
    [
      "regular expressions",
      "x.ts",
      "const a = /if && [/] ? b/; const c = d / e / f; return /x ? y/.test(z) ? 1 : 2",
      1,
    ],
    [
      "a division after a bracket or a postfix",
      "x.ts",
      "a = (b) / c; d = e[0] / f; g++ / h; i! / j; k ? 1 : 2 // /",
      1,
    ],
    ["nested templates", "x.ts", "`if ${a ? `for ${b && c} while` : '}'} &&`", 2],
    [
      "JSX text",
      "x.tsx",
      "const a = <p title='if'>Don't ask if && for {b ? <i>it's</i> : null} while</p>; if (c) {}",
      2,
    ],
    [
      "JSX is not a type parameter",
      "x.tsx",
      "const f = <T,>(a: T) => a ? 1 : 2; const g = <T extends U>(b: T) => b && c;",
      2,
    ],
    [
      "a generic function in JavaScript with types",
      "x.js",
      "const f = <T>(a: T): T => a ? b : c;\nif (d) {}\n",
      2,
    ],
    [
      "f-strings contain code",
      "x.py",
      "a = f'{b if c else d} if {e!r:>{10 if f else 2}}'\nb = 'if for and'\n",
      2,
    ],
    ["f-strings: doubled braces are text", "x.py", "a = f'{{if}} {b} {{for {c}}}'", 0],
    [
      "match and case as names",
      "x.py",
      "case = 1\nmatch = case\nmatch x:\n    case 1:\n        pass\n    case _:\n        pass\n    case y if y == 2:\n        pass\n",
      3,
    ],
    ["wildcards", "x.java", "Map<? extends A, ?> a; List<@N ?> b; List<? super C> c; int d = e ? 1 : 2;", 1],
    ["text blocks", "x.java", 'String a = """\n if (b) "c" && """; if (d) {}', 1],
    ["nullable types", "x.cs", "int? a = b ? 1 : 2; List<int?> c; d?.e?[0]; string? F(string? g) => h;", 1],
    [
      "strings of all kinds",
      "x.cs",
      'a = @"if ""x"" && \\"; b = $"{c ?? d} if {{e}}"; f = """raw "if" &&"""; if (g) {}',
      2,
    ],
    ["goto case", "x.cs", "switch (a) { case 1: goto case 2; case 2: break; }", 2],
    ["lambdas inside arms", "x.cs", "var a = b switch { 1 => c => d, 2 => (e, f) => g, _ => h => i };", 2],
    ["elvis and nullable types", "x.kt", "val a: String? = b?.c ?: d; val e = f!!; fun g(h: Int?) = 1", 1],
    ["string templates", "x.kt", 'val a = "if ${if (b) "c" else "d"} &&"; val e = """for ${f && g}"""', 2],
    [
      "macros and directives",
      "x.c",
      "#if defined(A) && defined(B)\n#define M(x) if (x) \\\n  && y\n#endif\nint f() { return a && b; }\n",
      1,
    ],
    ["a comment inside a directive", "x.c", "#if A /* b */ || C\nint d;\n#endif\n", 0],
    ["rvalue references", "x.cpp", "void f(A&& a, auto&& b) { if (c && d) g(std::forward<T&&>(e)); }", 2],
    ["raw strings and digit quotes", "x.cpp", 'auto a = R"x(if && " )x"; int b = 1\'000\'000; if (c) {}', 1],
    [
      "lifetimes, closures and raw strings",
      "x.rs",
      "fn f<'a>(x: &'a str) { let c = || a || b; let d = '\"'; let e = r#\"if \" &&\"#; impl A for B {} }",
      1,
    ],
    [
      "macros keep their operators",
      "x.rs",
      'fn f() { assert!(a && b, "if"); match x { _ if c => 1, _ => 2 } }',
      3,
    ],
    [
      "a loop behind an attribute",
      "x.rs",
      "fn f() { #[allow(clippy::x)]\nfor _ in 0..2 {} let a: [u8; 2]; } impl<T> A for [T] {}",
      1,
    ],
    ["default arms after a comment", "x.rs", "fn f() { match x { A => 1, // ends.\n _ => 2 } }", 1],
    [
      "heredocs",
      "x.sh",
      "cat <<EOF && if\nif for while $(a && b)\nEOF\ncat <<-'X'\n\tif && \n\tX\n[ a ] || b\n",
      4,
    ],
    [
      "quotes and substitutions",
      "x.sh",
      'a=\'if && for\' b="$(c && d "$(e || f)")" ${g:-"if"} # && \necho if for while\n',
      2,
    ],
    ["arithmetic", "x.sh", "a=$(( b ? c : d )); (( e && f )); g=$(( $? + 1 ))\n", 2],
    [
      "Ruby literals",
      "x.rb",
      "a = %w[if unless]; b = /if #{c && d}/; e = <<~X\n  if #{f || g}\n  X\nh = ?a; i = :if; j.if; k = { if: 1 }\n",
      2,
    ],
    [
      "Ruby globals and method names",
      "x.rb",
      "a = $' + $`\nb.empty? ? c : d\ndef if; end\ndef /(e); end\n",
      1,
    ],
    [
      "PHP nullable types and enums",
      "x.php",
      "<?php enum A { case B; case C; } class D { private ?int $e; public static ?F $g; function h(?I $j): ?K {} } $l = $m instanceof static ? 1 : 2;",
      1,
    ],
    [
      "PHP outside its tags",
      "x.php",
      "<p>if && for</p>\n<?php if ($a): ?>\n<b>while</b>\n<?php endif; ?>\n",
      1,
    ],
    [
      "PHP: a type behind an attribute, a match behind a point",
      "x.php",
      "<?php function f(#[A('if')] ?string $a, #[B] ?int $b) {} $c = $d.match ($e) { 1 => 2, default => 3 };",
      1,
    ],
    ["PHP here-documents", "x.php", "<?php $a = <<<X\nif && for\n  X;\nif ($b) {}\n", 1],
    ["Go types of functions", "x.go", "func f(g func(int) bool) { if g(1) && a.if {} }", 2],
    [
      "Swift cases that declare",
      "x.swift",
      "enum A { case b, c }\nif case .b = d {}\nswitch d { case .b: break }\n",
      2,
    ],
    ["Scala cases by type", "x.scala", "a match { case _: B => 1; case _ : C => 2; case _ => 3 }\n", 2],
    [
      "Kotlin labels",
      "x.kt",
      "fun f() { loop@while (a) { break@loop }; x.forEach { return@forEach }; @if y }",
      1,
    ],
    ["Scala case classes", "x.scala", "case class A(b: Int)\ncase object C\nd match { case A(1) => 2 }\n", 1],
    ["PowerShell here-strings", "x.ps1", "$a = @'\nif ('x') { &&\n'@\n$b = \"`\"if\"\nif ($c) {}\n", 1],
  ])("%s", (_name, path, source, expected) => expect(decisions(path, source)).toBe(expected));

  test("an unterminated construct ends with the file", () => {
    for (const path of ["x.ts", "x.tsx", "x.py", "x.rb", "x.sh", "x.php", "x.rs", "x.cpp", "x.cs"]) {
      for (const source of [
        "/* a\nb",
        "'a\nb",
        '"""a\nb',
        "`a ${b",
        "<<X\na",
        "<?php <<<X\na",
        "<p>a\nb",
        'r#"a\nb',
        "case a in b) c",
        "$(( a",
        "(((((",
        "}}}}}",
      ]) {
        expect(count(path, source).lines).toBe(source.split("\n").length);
      }
    }
  });

  test("brackets nested deeper than anybody can remember do no harm", () => {
    const source = `${"(".repeat(100_000)}${")".repeat(100_000)}\nif (a) {}\n`;
    expect(count("x.ts", source)).toMatchObject({ lines: 2, decisions: 1 });
    expect(count("x.sh", `${"$(".repeat(50_000)}\n`).lines).toBe(1);
  });
});
