/**
 * Makes a project of any number of source files for the bench of the code server: the same for the same number,
 * in five languages, with folders of some fifty files and lengths as real projects have them (most short, some
 * long). It is a git repository when git is there, as real projects are.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILES_PER_FOLDER = 50;

export function generateProject(root: string, files: number): void {
  const random = sequence(1);
  for (let index = 0; index < files; index += 1) {
    const folder = Math.floor(index / FILES_PER_FOLDER);
    const path = join(root, `part${folder % 40}`, `room${folder}`);
    if (index % FILES_PER_FOLDER === 0) mkdirSync(path, { recursive: true });
    const { extension, write } = KINDS[index % KINDS.length] as Kind;
    // A long tail, as in real projects: the median is some 100 lines, one in a hundred has over 1,500.
    const functions = Math.ceil(10 * Math.exp(1.2 * normal(random)));
    const parts = Array.from({ length: functions }, (_, i) => write(`work${index}n${i}`, random));
    writeFileSync(join(path, `file${index}.${extension}`), parts.join("\n"));
  }
  spawnSync("git", ["init", "--quiet", "."], { cwd: root });
  spawnSync("git", ["add", "--all"], { cwd: root });
}

interface Kind {
  readonly extension: string;
  write(name: string, random: () => number): string;
}

const KINDS: readonly Kind[] = [
  {
    extension: "ts",
    write: (name, random) => `/** Counts what ${name} was given, and says no to the rest. */
export function ${name}(values: readonly number[], limit = ${number(random)}): number {
  let total = 0;
  for (const value of values) {
    if (value > limit && total < ${number(random)}) continue; // too large
    total += value > ${number(random)} ? value : \`\${value}\`.length;
  }
  return total ?? ${number(random)};
}
`,
  },
  {
    extension: "py",
    write: (name, random) => `def ${name}(values, limit=${number(random)}):
    """Counts what it was given, and says no to the rest."""
    total = 0
    for value in values:
        # too large
        if value > limit and total < ${number(random)}:
            continue
        total += value if value > ${number(random)} else len(f"{value}")
    return total
`,
  },
  {
    extension: "go",
    write: (name, random) => `// ${name} counts what it was given, and says no to the rest.
func ${name}(values []int, limit int) (int, error) {
	total := ${number(random)}
	for _, value := range values {
		if value > limit && total < ${number(random)} {
			return 0, fmt.Errorf("%d is too large", value)
		}
		total += value
	}
	return total, nil
}
`,
  },
  {
    extension: "java",
    write: (name, random) => `  /**
   * Counts what it was given, and says no to the rest.
   */
  public static int ${name}(List<? extends Integer> values, int limit) {
    int total = ${number(random)};
    for (int value : values) {
      if (value > limit || total > ${number(random)}) continue;
      total += value > 3 ? value : 1;
    }
    return total;
  }
`,
  },
  {
    extension: "md",
    write: (name, random) => `## ${name}

Counts what it was given, up to ${number(random)}, and says no to the rest. 値を数えて、残りを断る。

`,
  },
];

function number(random: () => number): number {
  return Math.floor(random() * 10_000);
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Numbers in [0, 1), the same each time. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) / 0x800000;
  };
}
