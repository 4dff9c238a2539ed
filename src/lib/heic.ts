/**
 * Decodes a HEIC picture in a thread of its own: the decoder is WebAssembly that blocks while it works, and a
 * picture made to keep it busy must not stop the server. The thread ends with the picture, or with the clock.
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

/** A string, because a bundle has no file of its own for it. */
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
require(workerData.decoder).all({ buffer: workerData.bytes }).then(async ([image]) => {
  const { width, height } = image;
  if (!(width > 0 && height > 0 && width * height <= workerData.maxPixels)) throw new Error(width + " x " + height + " pixels");
  const { data } = await image.decode();
  parentPort.postMessage({ width, height, data: new Uint8Array(data.buffer) }, [data.buffer]);
}).catch((error) => parentPort.postMessage({ error: String(error && error.message || error) }));
`;

export function decodeHeic(bytes: Uint8Array, maxPixels: number): Promise<RawPicture> {
  const { promise, resolve, reject } = Promise.withResolvers<RawPicture>();
  const decoder = createRequire(import.meta.url).resolve("heic-decode");
  const worker = new Worker(WORKER, {
    eval: true,
    workerData: { decoder, bytes, maxPixels },
    stdout: true,
    stderr: true,
  });
  const clock = setTimeout(
    () => reject(new Error(`no picture after ${TIME_LIMIT_MS / 1000} s`)),
    TIME_LIMIT_MS,
  );
  worker.once("message", (message: RawPicture | { error: string }) => {
    if ("error" in message) reject(new Error(message.error));
    else resolve(message);
  });
  worker.once("error", reject);
  worker.once("exit", (code) => reject(new Error(`the decoder ended with code ${code}`)));
  return promise.finally(() => {
    clearTimeout(clock);
    void worker.terminate();
  });
}
