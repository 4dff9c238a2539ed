export { type KeptResult, KeptResults } from "./kept-results.ts";
