/** Here-documents of Ruby and PHP that are announced on a line; their texts begin with the next, in order. */
import { HEREDOCS_AT } from "../tables.ts";
import { scanHeredoc } from "./literals.ts";
import { scan } from "./state.ts";

/** More on one line are not waited for: nobody writes them. */
const MOST = 1024;

export function announceHeredoc(heredoc: i32): void {
  if (scan.heredocs === MOST) return;
  store<i32>(((scan.firstHeredoc + scan.heredocs) & (MOST - 1)) << 2, heredoc, HEREDOCS_AT);
  scan.heredocs += 1;
}

/** At the first byte of a line, when one waits. */
export function nextHeredoc(): void {
  const heredoc = load<i32>(scan.firstHeredoc << 2, HEREDOCS_AT);
  scan.firstHeredoc = (scan.firstHeredoc + 1) & (MOST - 1);
  scan.heredocs -= 1;
  scanHeredoc(heredoc);
}
