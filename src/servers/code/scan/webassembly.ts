/** What we use of WebAssembly: the types of Node do not describe it, and those of the browser are not ours. */

/** Compiled code. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

export interface WasmMemory {
  /** Another one after each `grow`. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface Api {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: unknown };
}

const api = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;

export function compileModule(bytes: Uint8Array): WasmModule {
  return new api.Module(bytes);
}

/** What a new instance exports; the caller knows what that is. */
export function instantiate<Exports>(module: WasmModule): Exports {
  return new api.Instance(module).exports as Exports;
}
