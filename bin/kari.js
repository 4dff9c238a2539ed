#!/usr/bin/env node
// Starts Kari on a suitable Node: this one, else the one that came with the package, else one clear sentence.
// It must also run where Node is too old for the rest, and it is CommonJS because that starts sooner.
const [major, minor] = process.versions.node.split(".").map(Number);
const words = process.argv.slice(2);
const SETTLED_MS = 5000;

if (words[0] === "--version" || words[0] === "-V") {
  const { readFileSync } = require("node:fs");
  console.log(JSON.parse(readFileSync(`${__dirname}/../package.json`, "utf8")).version);
} else if (major > 22 || (major === 22 && minor >= 18)) {
  const { loadScript } = require("./load-script.js");
  // The servers are a script of their own: less to read for each of them.
  const script = words[0] === "mcp" ? "mcp.cjs" : "cli.cjs";
  const { exports: program, keep } = loadScript(script, usedFor(words));
  whenSettled(keep);
  program.enter(words);
} else {
  startOnBundledNode();
}

/** Commands use different parts of a script: what was compiled is kept for each. */
function usedFor([first = "session", second = ""]) {
  if (first === "mcp") return isName(second) ? `mcp-${second}` : "mcp";
  if (first === "--help" || first === "-h") return "help";
  return isName(first) ? first : "session";
}

function isName(word) {
  return /^[a-z]{2,20}$/.test(word);
}

/** At the end of a process that did what it was asked. A server may run for weeks and be killed: after a while. */
function whenSettled(action) {
  let isDone = false;
  const once = () => {
    if (!isDone) action();
    isDone = true;
  };
  setTimeout(once, SETTLED_MS).unref();
  process.on("exit", (code) => {
    if (code === 0) once();
  });
}

function startOnBundledNode() {
  const { spawn } = require("node:child_process");
  const { dirname, join } = require("node:path");
  const platform = process.platform === "win32" ? "win" : process.platform;
  let node;
  for (const name of [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`));
      node = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
      break;
    } catch {
      // Not installed here: try the next name.
    }
  }
  if (!node) {
    console.error(
      `kari needs Node 22.18 or newer, and this is Node ${process.versions.node}: install a newer Node, then run kari again.`,
    );
    process.exit(2);
  }
  // The channel tells the child when this process is gone, also when it was killed: it must not live on.
  const child = spawn(node, [__filename, ...words], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, KARI_LAUNCHED: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code ?? 1);
  });
  child.on("error", (error) => {
    console.error(`kari could not start ${node}: ${error.message}`);
    process.exit(2);
  });
}
