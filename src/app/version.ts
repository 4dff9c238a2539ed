import manifest from "../../package.json" with { type: "json" };

export const NAME = "kari";
export const VERSION: string = manifest.version;
