/** Where a command of the person's runs: their folders, their environment, the folder they stand in. */
import { type Environment, type Paths, pathsFrom } from "../config/index.ts";

export interface Surroundings {
  readonly paths: Paths;
  readonly environment: Environment;
  readonly workingDirectory: string;
}

export function ourSurroundings(): Surroundings {
  return { paths: pathsFrom(process.env), environment: process.env, workingDirectory: process.cwd() };
}
