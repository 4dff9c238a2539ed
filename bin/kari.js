#!/usr/bin/env node
// Starts Kari on a suitable Node: this one, else the one that came with the package, else one clear sentence.
// Plain JavaScript without imports at the top: it must also run where Node is too old for the rest.
const [major, minor] = process.versions.node.split(".").map(Number);

if (process.argv[2] === "--version" || process.argv[2] === "-V") {
  const { readFileSync } = await import("node:fs");
  console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
} else if (major > 22 || (major === 22 && minor >= 18)) {
  const { enableCompileCache } = await import("node:module");
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && `${process.env.HOME}/.cache`);
  enableCompileCache(cache ? `${cache}/kari/compile` : undefined);
  await import("../dist/cli.js");
} else {
  await startOnBundledNode();
}

async function startOnBundledNode() {
  const { createRequire } = await import("node:module");
  const { spawn } = await import("node:child_process");
  const { fileURLToPath } = await import("node:url");
  const { dirname, join } = await import("node:path");
  const require = createRequire(import.meta.url);
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
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
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
