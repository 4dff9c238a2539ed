import { describe, expect, test } from "vitest";
import { UsageError } from "../../lib/usage-error.ts";
import { screenOf } from "./screen.ts";

const tty = { isTTY: true, columns: 100, rows: 40 };
const protocol = (environment: Record<string, string>) => screenOf(tty, environment).protocol;

describe("which pictures a terminal can show", () => {
  test.each([
    ["kitty", { TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }],
    ["kitty", { TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }],
    ["kitty", { TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }],
    ["kitty", { TERM: "xterm-256color", GHOSTTY_RESOURCES_DIR: "/usr/share/ghostty" }],
    ["kitty", { TERM: "xterm-256color", KONSOLE_VERSION: "230800" }],
    ["blocks", { TERM: "xterm-256color", KONSOLE_VERSION: "210800" }],
    ["iterm2", { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }],
    ["iterm2", { TERM: "xterm-256color", LC_TERMINAL: "iTerm2" }],
    ["iterm2", { TERM: "xterm-256color", TERM_PROGRAM: "WezTerm", WEZTERM_PANE: "0" }],
    ["iterm2", { TERM: "xterm-256color", WEZTERM_EXECUTABLE: "/usr/bin/wezterm-gui" }],
    ["iterm2", { TERM: "xterm", TERM_PROGRAM: "mintty" }],
    ["sixel", { TERM: "foot" }],
    ["sixel", { TERM: "foot-extra" }],
    ["sixel", { TERM: "mlterm" }],
    ["sixel", { TERM: "xterm-256color", WT_SESSION: "c0ffee" }],
    ["blocks", { TERM: "xterm-256color", VTE_VERSION: "7600" }],
    ["blocks", { TERM: "xterm-256color", TERM_PROGRAM: "vscode", KITTY_WINDOW_ID: "1" }],
    ["blocks", { TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }],
    ["blocks", { TERM: "linux" }],
    ["none", { TERM: "dumb" }],
    ["none", {}],
    ["none", { TERM: "xterm-256color", NO_COLOR: "1" }],
    ["kitty", { TERM: "xterm-kitty", NO_COLOR: "1" }],
  ])("%s for %o", (expected, environment) => {
    expect(protocol(environment)).toBe(expected);
  });

  test("inside tmux and screen it is half blocks, whatever is around them", () => {
    const around = { KITTY_WINDOW_ID: "1", TERM_PROGRAM: "tmux" };
    expect(protocol({ ...around, TERM: "tmux-256color", TMUX: "/tmp/tmux,1,0" })).toBe("blocks");
    expect(protocol({ ...around, TERM: "xterm-kitty", TMUX: "/tmp/tmux,1,0" })).toBe("blocks");
    expect(protocol({ TERM: "screen.xterm-256color", STY: "1.pts" })).toBe("blocks");
  });

  test("KARI_IMAGES wins over everything, and inside tmux it means passing through", () => {
    const inTmux = { TERM: "tmux-256color", TMUX: "/tmp/tmux,1,0", KARI_IMAGES: "kitty" };
    expect(screenOf(tty, inTmux)).toMatchObject({ protocol: "kitty", throughTmux: true });
    expect(screenOf({}, { KARI_IMAGES: "sixel" })).toMatchObject({
      protocol: "sixel",
      columns: 80,
      rows: 24,
    });
    expect(protocol({ TERM: "xterm-kitty", KARI_IMAGES: "none" })).toBe("none");
    expect(() => protocol({ KARI_IMAGES: "jpeg" })).toThrow(UsageError);
    expect(() => protocol({ KARI_IMAGES: "jpeg" })).toThrow("kitty, iterm2, sixel, blocks, none");
  });

  test("what is no terminal shows none", () => {
    expect(screenOf({ isTTY: false }, { TERM: "xterm-kitty" }).protocol).toBe("none");
    expect(screenOf({}, { TERM: "xterm-kitty" }).protocol).toBe("none");
  });

  test("24-bit colours where the terminal says so, 256 elsewhere", () => {
    const colours = (environment: Record<string, string>) => screenOf(tty, environment).trueColour;
    expect(colours({ TERM: "xterm-256color" })).toBe(false);
    expect(colours({ TERM: "xterm-256color", COLORTERM: "truecolor" })).toBe(true);
    expect(colours({ TERM: "xterm-256color", VTE_VERSION: "7600" })).toBe(true);
    expect(colours({ TERM: "tmux-256color", TMUX: "x" })).toBe(true);
  });
});
