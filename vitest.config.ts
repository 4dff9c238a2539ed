import { defineConfig } from "vitest/config";

/**
 * Unit tests sit beside the code and run in parallel. End-to-end tests spawn the built executable;
 * they run one file at a time so that what they say about processes is about their own.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "eval/**/*.test.ts", "bench/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          globalSetup: ["test/support/no-orphans.ts"],
          setupFiles: ["test/support/no-orphans-after-file.ts"],
        },
      },
    ],
  },
});
