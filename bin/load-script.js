// Loads a built script together with what V8 compiled of it in earlier processes: every function that ran then, so
// that it is not compiled again. Node's own compile cache keeps only what is compiled before anything runs.
// A cache that is missing, unreadable or broken costs time and nothing else.
const fs = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, isAbsolute, join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { Script } = require("node:vm");

/** The build ends each script with a hash of it: V8 itself tells scripts apart by their lengths alone. */
const HASH_LENGTH = 32;
/** So many processes add what they compiled; what is missing after them is seldom used. */
const ADDING_PROCESSES = 4;
const OUTDATED_MS = 30 * 24 * 60 * 60 * 1000;

/** Gives what the script exports, and `keep`, to be called when it has run all that is worth keeping. */
exports.loadScript = function loadScript(name, usedFor) {
  const file = join(__dirname, "../dist", name);
  const source = readScript(file);
  const folder = cacheFolder();
  const build = `${process.version}-${process.arch}-${source.slice(-HASH_LENGTH)}`;
  const cacheFile = folder && `${folder}/${build}/${usedFor}`;
  const cache = cacheFile && readCache(cacheFile);
  const script = new Script(source, { filename: file, cachedData: cache?.data });
  const added = cache && !script.cachedDataRejected ? cache.added : 0;
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, pathToFileURL(file).href);
  return {
    exports: module.exports,
    keep() {
      if (!cacheFile || added >= ADDING_PROCESSES) return;
      writeCache(cacheFile, { data: script.createCachedData(), added: added + 1 });
      removeOutdated(folder, build);
    },
  };
};

function readScript(file) {
  try {
    // The build writes ASCII alone.
    return fs.readFileSync(file, "latin1");
  } catch (error) {
    console.error(`kari is not whole: ${file} cannot be read (${error.code}). Install it again.`);
    process.exit(2);
  }
}

/** Undefined where nothing is to be kept. */
function cacheFolder() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  // Coverage would not see functions that come from a cache.
  if (NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return undefined;
  const base = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`) || LOCALAPPDATA;
  // What lies in the folder that somebody happens to be in is not ours, though it may belong to the same user.
  return base && isAbsolute(base) ? `${base}/kari/compile` : undefined;
}

/**
 * Kept twice, and believed when both are the same: V8 crashes on data that is not as it was. A checksum would need
 * node:zlib, which takes longer to load than the whole cache. Behind them, how many processes have added to it.
 */
function readCache(file) {
  let opened;
  try {
    opened = fs.openSync(file, "r");
    // It is code: nobody else's is run, also not by the superuser in somebody's home.
    if (process.getuid && fs.fstatSync(opened).uid !== process.getuid()) return undefined;
    const bytes = fs.readFileSync(opened);
    const end = bytes.length - 1;
    const data = bytes.subarray(0, end / 2);
    const again = bytes.subarray(end / 2, end);
    return data.length > 0 && data.equals(again) ? { data, added: bytes[end] } : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

function writeCache(file, { data, added }) {
  const temporary = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const bytes = Buffer.concat([data, data, Buffer.of(added)]);
    fs.writeFileSync(temporary, bytes, { flag: "wx", mode: 0o600, flush: true });
    fs.renameSync(temporary, file);
  } catch {
    // No place for it, or the disk is full: then the next process compiles as well.
    attempt(() => fs.unlinkSync(temporary));
  }
}

/** What other builds left behind. Another process may be at it too. */
function removeOutdated(folder, build) {
  attempt(() => {
    for (const name of fs.readdirSync(folder)) {
      const path = `${folder}/${name}`;
      if (name !== build && Date.now() - fs.statSync(path).mtimeMs > OUTDATED_MS)
        fs.rmSync(path, { recursive: true, force: true });
    }
  });
}

function attempt(action) {
  try {
    action();
  } catch {
    // Nothing depends on it.
  }
}
