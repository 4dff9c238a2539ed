/**
 * What a terminal can show of a picture, read from the environment alone: nobody is asked questions that a pipe or
 * an old terminal would answer with garbage. Where it is not sure that a protocol works, half blocks are chosen,
 * because a picture in coarse blocks is better than one that nobody sees. KARI_IMAGES overrides everything.
 */
import { UsageError } from "../../lib/usage-error.ts";

const PROTOCOLS = ["kitty", "iterm2", "sixel", "blocks", "none"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export interface Screen {
  readonly protocol: Protocol;
  /** tmux keeps sequences to itself unless they are wrapped for the terminal around it. */
  readonly throughTmux: boolean;
  readonly trueColour: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface ScreenStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

export function screenOf(stream: ScreenStream, environment: Environment): Screen {
  const asked = override(environment);
  const inTmux = environment["TMUX"] !== undefined && environment["TMUX"] !== "";
  return {
    protocol: asked ?? (stream.isTTY === true ? detect(environment, inTmux) : "none"),
    throughTmux: inTmux,
    trueColour: hasTrueColour(environment, inTmux),
    columns: stream.columns || DEFAULT_COLUMNS,
    rows: stream.rows || DEFAULT_ROWS,
  };
}

function override(environment: Environment): Protocol | undefined {
  const value = environment["KARI_IMAGES"];
  if (value === undefined || value === "") return undefined;
  const found = PROTOCOLS.find((protocol) => protocol === value.toLowerCase());
  if (found) return found;
  throw new UsageError(`KARI_IMAGES is "${value}"; it can be ${PROTOCOLS.join(", ")}.`);
}

function detect(environment: Environment, inTmux: boolean): Protocol {
  const term = environment["TERM"] ?? "";
  if (term === "" || term === "dumb") return "none";
  const blocks = environment["NO_COLOR"] ? "none" : "blocks";
  // tmux and screen drop what they do not know, and only their owner knows whether they let it through.
  if (inTmux || environment["STY"] || /^(screen|tmux)/.test(term)) return blocks;
  return nativeProtocol(environment, term) ?? blocks;
}

/** By TERM_PROGRAM. VS Code and gnome-terminal can be built or set to show pictures, and mostly are not. */
const BY_PROGRAM: Readonly<Record<string, Protocol>> = {
  ghostty: "kitty",
  kitty: "kitty",
  "iTerm.app": "iterm2",
  WezTerm: "iterm2",
  mintty: "iterm2",
  Tabby: "iterm2",
  Hyper: "iterm2",
  rio: "iterm2",
  WarpTerminal: "iterm2",
  contour: "sixel",
};
const KONSOLE_WITH_KITTY = 220_400;

function nativeProtocol(environment: Environment, term: string): Protocol | undefined {
  const has = (name: string) => Boolean(environment[name]);
  // TERM first: it alone travels over ssh, and it is the terminal's own word.
  if (term === "xterm-kitty" || term === "xterm-ghostty") return "kitty";
  if (term === "wezterm") return "iterm2";
  if (/^(foot|contour|mlterm|yaft)/.test(term)) return "sixel";
  const program = environment["TERM_PROGRAM"] ?? "";
  if (Object.hasOwn(BY_PROGRAM, program)) return BY_PROGRAM[program];
  // A program started from one terminal inside another inherits the outer one's variables.
  if (program !== "") return undefined;
  if (has("KITTY_WINDOW_ID") || has("GHOSTTY_RESOURCES_DIR") || has("GHOSTTY_BIN_DIR")) return "kitty";
  if (Number(environment["KONSOLE_VERSION"]) >= KONSOLE_WITH_KITTY) return "kitty";
  if (has("WEZTERM_PANE") || has("WEZTERM_EXECUTABLE")) return "iterm2";
  if (environment["LC_TERMINAL"] === "iTerm2") return "iterm2";
  if (has("WT_SESSION") || has("MLTERM")) return "sixel";
  return undefined;
}

const VTE_WITH_TRUE_COLOUR = 3600;

function hasTrueColour(environment: Environment, inTmux: boolean): boolean {
  const term = environment["TERM"] ?? "";
  return (
    // tmux understands all colours and makes of them what the terminal around it can.
    inTmux ||
    /^(truecolor|24bit)$/.test(environment["COLORTERM"] ?? "") ||
    /kitty|ghostty|foot|alacritty|wezterm|contour|-direct$/.test(term) ||
    Boolean(environment["WT_SESSION"] || environment["KONSOLE_VERSION"]) ||
    Number(environment["VTE_VERSION"]) >= VTE_WITH_TRUE_COLOUR ||
    ["iTerm.app", "WezTerm", "vscode", "ghostty"].includes(environment["TERM_PROGRAM"] ?? "")
  );
}
