import { createHmac, randomBytes } from "node:crypto";
import { mkdir, open, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, isDigest, matchesDigest } from "./digest.ts";
import { digestMismatch } from "./verify-content.ts";

export interface ContentCacheOptions {
  /** Made with all its parents when it is not there; processes may share it. */
  readonly directory: string;
  /** What was not used for longest goes first. */
  readonly maxBytes: number;
  /** Told what went wrong on the disk; the content comes from where it came from, then. */
  readonly onProblem?: ((error: unknown) => void) | undefined;
}

export interface ContentKey {
  readonly digest: string;
  /** Who may see it: equal for equal rights only, e.g. registry and credential. It may be secret; its keyed hash names a folder. */
  readonly owner: unknown;
}

/** Content by digest on disk, apart for every owner. */
export interface ContentCache {
  /** The content, fetched when it is not there (or damaged). Those who ask at the same time share one fetch. */
  get(key: ContentKey, fetch: () => Promise<Uint8Array>): Promise<Uint8Array>;
}

const keyFile = "key";
const temporary = ".tmp-";
const abandonedAfterMs = 3_600_000;

/** Throws LandscaperError (DigestMismatch) when what was fetched is not what the digest names. */
export function createContentCache(options: ContentCacheOptions): ContentCache {
  const disk = new CacheFolder(options);
  const fetches = new Map<string, Promise<Uint8Array>>();
  const load = async (file: string, { digest }: ContentKey, fetch: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const known = await disk.read(file);
    if (known !== undefined && matchesDigest(known, digest)) return known;
    const bytes = await fetch();
    if (!matchesDigest(bytes, digest))
      throw digestMismatch("content", `expected digest ${digest}, found ${digestOf(bytes)}`);
    await disk.write(file, bytes);
    return bytes;
  };
  return {
    async get(key, fetch) {
      if (!isDigest(key.digest)) throw digestMismatch("content", `expected a digest, found "${key.digest}"`);
      const file = await disk.fileOf(key);
      if (file === undefined) return await fetch();
      const running = fetches.get(file);
      if (running !== undefined) {
        // Why it failed may be the other's business, such as an abort: whoever waited tries on its own account.
        return await running.catch(async () => this.get(key, fetch));
      }
      const loading = load(file, key, fetch);
      fetches.set(file, loading);
      try {
        return await loading;
      } finally {
        fetches.delete(file);
      }
    },
  };
}

/** The disk. Nothing of it throws: a cache that does not work is none. */
class CacheFolder {
  readonly #options: ContentCacheOptions;
  #key: Promise<Buffer | undefined> | undefined;
  #size: number | undefined;

  constructor(options: ContentCacheOptions) {
    this.#options = options;
  }

  /** Undefined when there is no disk to use. */
  async fileOf({ digest, owner }: ContentKey): Promise<string | undefined> {
    const key = await (this.#key ??= this.#try(async () => this.#openKey()));
    if (key === undefined) return undefined;
    const folder = createHmac("sha256", key)
      .update(JSON.stringify(owner ?? null))
      .digest("hex");
    return join(this.#options.directory, folder, digest.replace(":", "-"));
  }

  /** A name made of a credential must not tell those who see the folder what the credential is. */
  async #openKey(): Promise<Buffer> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, keyFile);
    await writeFile(file, randomBytes(32), { mode: 0o600, flag: "wx" }).catch(() => {});
    return await readFile(file);
  }

  async read(file: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await readFile(file);
      const now = new Date();
      await utimes(file, now, now);
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all, also when the process dies. */
  async write(file: string, bytes: Uint8Array): Promise<void> {
    await this.#try(async () => {
      await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
      const part = `${file}${temporary}${randomBytes(6).toString("hex")}`;
      const handle = await open(part, "wx", 0o600);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      await rename(part, file);
      await this.#makeRoom(bytes.length);
    });
  }

  async #makeRoom(added: number): Promise<void> {
    const { maxBytes } = this.#options;
    this.#size = this.#size === undefined ? undefined : this.#size + added;
    if (this.#size !== undefined && this.#size <= maxBytes) return;
    const files = await this.#list();
    let size = files.reduce((sum, file) => sum + file.size, 0);
    for (const file of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      const isAbandoned = file.path.includes(temporary) && file.usedAt < Date.now() - abandonedAfterMs;
      if (size <= maxBytes && !isAbandoned) continue;
      await rm(file.path, { force: true });
      size -= file.size;
    }
    this.#size = size;
  }

  async #list(): Promise<{ path: string; size: number; usedAt: number }[]> {
    const { directory } = this.#options;
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && entry.name !== keyFile)
      .map((entry) => join(entry.parentPath, entry.name));
    const files = await Promise.all(
      paths.map(async (path) => {
        const found = await stat(path).catch(() => undefined);
        return found === undefined ? [] : [{ path, size: found.size, usedAt: found.mtimeMs }];
      }),
    );
    return files.flat();
  }

  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.onProblem?.(error);
      return undefined;
    }
  }
}
