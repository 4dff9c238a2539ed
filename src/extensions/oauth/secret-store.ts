/** Where tokens are kept between runs. Values are opaque texts; names are ours. Filled in by the composition root. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}
