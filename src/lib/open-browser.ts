/**
 * Opens an address in the person's browser. Only http and https, and as one argument of a program, never through a
 * shell: whoever made the address up cannot make it run something.
 */
import { spawn } from "node:child_process";

export interface BrowserCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Rejects when there is no browser to open, or the address is not one for it. */
export async function openBrowser(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { command, args } = browserCommand(address, process.platform, environment);
  const child = spawn(command, [...args], { stdio: "ignore", detached: true, windowsHide: true });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) =>
      reject(new Error(`No browser could be opened (${command}): ${error.message}`)),
    );
  });
  child.unref();
}

export function browserCommand(
  address: string,
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): BrowserCommand {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    throw new Error(`"${address.slice(0, 200)}" is not a web address; it was not opened.`);
  // Written anew by the parser, so that it begins with its scheme and holds no blank and no quote.
  const { href } = url;
  // The convention of Unix programs: one command, or several with colons between.
  const chosen = environment["BROWSER"]?.split(":")[0];
  if (chosen && platform !== "win32") return { command: chosen, args: [href] };
  if (platform === "win32") return { command: "rundll32.exe", args: ["url.dll,FileProtocolHandler", href] };
  return { command: platform === "darwin" ? "open" : "xdg-open", args: [href] };
}
