/** Sends the person at this terminal to a page: says whose it is, opens it, and leaves the address where it can be read. */
import { openBrowser } from "../lib/open-browser.ts";
import { terminalText } from "../lib/terminal-text.ts";

export interface SignIn {
  readonly extension: string;
  readonly url: string;
  readonly host: string;
}

export async function openSignIn({ extension, url, host }: SignIn): Promise<void> {
  process.stderr.write(
    `\n${extension} wants to be authorized at ${terminalText(host)}. If no browser opens, open this address:\n` +
      `  ${terminalText(url)}\n`,
  );
  // Without a browser the person can still open it by hand, on this machine.
  await openBrowser(url, process.env).catch(() => {});
}
