// A thread that runs a built script, loaded as the launcher loads its own. The script says when its work is done first.
const { workerData } = require("node:worker_threads");
const { loadScript } = require("./load-script.js");

const { exports: script, keep } = loadScript(`${workerData.script}.cjs`, workerData.script);
script.afterFirstTask(keep);
