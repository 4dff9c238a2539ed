import { describe, expect, test } from "vitest";
import { isProtectedPath } from "./protected-path.ts";

const places = { home: "/home/aoi", agentFolders: ["/home/aoi/.config/kari", "/srv/kari-data"] };

describe("L8: what decides what runs is protected", () => {
  test.each([
    "/home/aoi/project/.git/hooks/pre-commit",
    "/home/aoi/project/.git/hooks",
    "/home/aoi/project/.git/config",
    "/home/aoi/project/.git",
    "/home/aoi/project/.git/modules/sub/hooks/post-checkout",
    "/home/aoi/project/.git/worktrees/w/config.worktree",
    "/home/aoi/project/.GIT/Hooks/pre-push",
    "/home/aoi/project/.git./hooks/pre-push",
    "C:\\Users\\aoi\\project\\.git\\hooks\\pre-commit",
    "/home/aoi/project/.husky/pre-commit",
    "/home/aoi/project/.kari/config.yaml",
    "/home/aoi/.config/kari/config.yaml",
    "/home/aoi/.config/KARI/permissions.yaml",
    "/srv/kari-data/sessions.db",
    "/home/aoi/.bashrc",
    "/home/aoi/.ssh/authorized_keys",
    "/home/aoi/.gitconfig",
  ])("%s", (path) => expect(isProtectedPath(path, places)).toBe(true));
});

describe("ordinary files are not", () => {
  test.each([
    "/home/aoi/project/src/hooks/use-state.ts",
    "/home/aoi/project/.github/hooks.md",
    "/home/aoi/project/.gitignore",
    "/home/aoi/project/.git/COMMIT_EDITMSG",
    "/home/aoi/project/config",
    "/home/aoi/project/.bashrc",
    "/home/aoi2/.bashrc",
    "/srv/kari-data-2/x",
    "/home/aoi/.config/karix/config.yaml",
  ])("%s", (path) => expect(isProtectedPath(path, places)).toBe(false));
});
