import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test("suggests names that differ in case, a letter or a prefix, nearest first", () => {
  const names = ["developer__shell", "developer__list_files", "memory__store"];
  expect(nearest("Developer__Shell", names)[0]).toBe("developer__shell");
  expect(nearest("developer_shell", names)[0]).toBe("developer__shell");
  expect(nearest("shell", names)).toEqual(["developer__shell"]);
  expect(nearest("weather", names)).toEqual([]);
});
