/**
 * Decodes HEIC pictures in a thread: the decoder is WebAssembly that blocks while it works, and a picture made to
 * keep it busy must not stop the server. A thread that failed or took too long is ended with its memory; one that
 * did well waits a little for the next picture, because compiling the decoder takes longer than most pictures.
 */
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

export interface RawPicture {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, alpha. */
  readonly data: Uint8Array;
}

const TIME_LIMIT_MS = 30_000;
const IDLE_MS = 10_000;

/** A string, because a bundle has no file of its own for it. */
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const decoder = require(workerData.decoder);
parentPort.on("message", ({ bytes, maxPixels }) => {
  decode(bytes, maxPixels).catch((error) => parentPort.postMessage({ error: String(error && error.message || error) }));
});
async function decode(buffer, maxPixels) {
  const images = await decoder.all({ buffer });
  try {
    const { width, height } = images[0];
    if (!(width > 0 && height > 0 && width * height <= maxPixels)) throw new Error(width + " x " + height + " pixels");
    const { data } = await images[0].decode();
    parentPort.postMessage({ width, height, data: new Uint8Array(data.buffer) }, [data.buffer]);
  } finally {
    images.dispose();
  }
}
`;

const idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];

export async function decodeHeic(bytes: Uint8Array, maxPixels: number): Promise<RawPicture> {
  const worker = takeIdle() ?? startWorker();
  try {
    const picture = await ask(worker, { bytes, maxPixels });
    keep(worker);
    return picture;
  } catch (error) {
    void worker.terminate();
    throw error;
  }
}

function ask(worker: Worker, job: { bytes: Uint8Array; maxPixels: number }): Promise<RawPicture> {
  const { promise, resolve, reject } = Promise.withResolvers<RawPicture>();
  const clock = setTimeout(
    () => reject(new Error(`no picture after ${TIME_LIMIT_MS / 1000} s`)),
    TIME_LIMIT_MS,
  );
  const onMessage = (message: RawPicture | { error: string }) => {
    if ("error" in message) reject(new Error(message.error));
    else resolve(message);
  };
  const onExit = (code: number) => reject(new Error(`the decoder ended with code ${code}`));
  worker.on("message", onMessage).on("error", reject).on("exit", onExit);
  worker.ref();
  worker.postMessage(job);
  return promise.finally(() => {
    clearTimeout(clock);
    worker.off("message", onMessage).off("error", reject).off("exit", onExit);
  });
}

function startWorker(): Worker {
  const decoder = createRequire(import.meta.url).resolve("heic-decode");
  const worker = new Worker(WORKER, { eval: true, workerData: { decoder }, stdout: true, stderr: true });
  // Whoever waits for it has a listener of its own; without one at all an error would end the process.
  worker.on("error", () => {});
  return worker;
}

function keep(worker: Worker): void {
  worker.unref();
  const timer = setTimeout(() => {
    idle.splice(
      idle.findIndex((entry) => entry.worker === worker),
      1,
    );
    void worker.terminate();
  }, IDLE_MS).unref();
  idle.push({ worker, timer });
}

function takeIdle(): Worker | undefined {
  const entry = idle.pop();
  clearTimeout(entry?.timer);
  return entry?.worker;
}
