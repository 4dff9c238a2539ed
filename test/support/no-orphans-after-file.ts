/** After each file of end-to-end tests: what it started is gone, so that a leftover is found where it comes from. */
import { afterAll } from "vitest";
import { waitForNone } from "./no-orphans.ts";

afterAll(waitForNone);
