import { constants, type Stats } from "node:fs";
import { lstat, open, opendir, type FileHandle } from "node:fs/promises";

/** What is found under a name in a folder that a program could write to. */
export type OpenedEntry =
  | { readonly kind: "absent" }
  | { readonly kind: "folder"; readonly folder: OpenFolder; readonly stats: Stats }
  | { readonly kind: "file"; readonly handle: FileHandle; readonly stats: Stats }
  /** `what`: for messages, such as "a link". */
  | { readonly kind: "other"; readonly what: string };

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * A folder that another program could write to, and may still write to. Entries are opened relative to it, each by its own name, and no link is followed: whatever the program has
 * put there, nothing outside of the folder is opened. Linux only (/proc).
 */
export class OpenFolder {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Opens a folder that the program cannot replace, such as the mount of a volume. */
  static async openRoot(path: string): Promise<OpenFolder> {
    return new OpenFolder(await open(path, constants.O_RDONLY | constants.O_DIRECTORY));
  }

  /** `name` must not have a slash. */
  async open(name: string): Promise<OpenedEntry> {
    const place = `/proc/self/fd/${this.#handle.fd}/${name}`;
    const found = await unlessDenied(unlessMissing(lstat(place)));
    if (found === undefined) return { kind: "absent" };
    if (found === "denied") return unreadable("its folder has no execute permission");
    // Opening a device or a pipe may have an effect: such an entry is not opened at all.
    if (!found.isFile() && !found.isDirectory()) return { kind: "other", what: wordOf(found) };
    const handle = await unlessDenied(openUnlessReplaced(place, found.isDirectory()));
    if (handle === "denied") return unreadable(`it has mode ${(found.mode & 0o7777).toString(8).padStart(4, "0")}`);
    if (handle === undefined) return { kind: "other", what: "something else since it was looked at" };
    const stats = await handle.stat();
    if (stats.isDirectory()) return { kind: "folder", folder: new OpenFolder(handle), stats };
    if (stats.isFile()) return { kind: "file", handle, stats };
    await handle.close();
    return { kind: "other", what: wordOf(stats) };
  }

  /** Names of its entries, in no order; stops once there are more than `limit`. */
  async names(limit: number): Promise<string[]> {
    const names: string[] = [];
    // Closed by the loop.
    for await (const { name } of await opendir(`/proc/self/fd/${this.#handle.fd}`)) {
      names.push(name);
      if (names.length > limit) break;
    }
    return names;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Closes what was opened, whatever it is. */
export async function closeEntry(entry: OpenedEntry): Promise<void> {
  if (entry.kind === "file") await entry.handle.close();
  if (entry.kind === "folder") await entry.folder.close();
}

/** Opens what lies at a path below `root`, of which each part but the last one has to be a folder. */
export async function openBelow(root: OpenFolder, path: string): Promise<OpenedEntry> {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const folders: OpenFolder[] = [];
  try {
    let found: OpenedEntry = { kind: "absent" };
    let at = root;
    for (const [index, part] of parts.entries()) {
      found = await at.open(part);
      if (index === parts.length - 1) break;
      if (found.kind === "file") {
        await found.handle.close();
        return { kind: "other", what: "below a file" };
      }
      if (found.kind !== "folder") break;
      folders.push(found.folder);
      at = found.folder;
    }
    return found;
  } finally {
    for (const folder of folders) await folder.close();
  }
}

async function openUnlessReplaced(place: string, isFolder: boolean): Promise<FileHandle | undefined> {
  try {
    return await open(place, isFolder ? readFlags | constants.O_DIRECTORY : readFlags);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ELOOP" || code === "ENOTDIR" || code === "ENOENT" || code === "ENXIO") return undefined;
    throw error;
  }
}

async function unlessMissing(reading: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Resolves to "denied" if permissions are missing: the path of such an error means nothing to users. */
async function unlessDenied<T>(opening: Promise<T>): Promise<T | "denied"> {
  try {
    return await opening;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EACCES" || code === "EPERM") return "denied";
    throw error;
  }
}

function unreadable(why: string): OpenedEntry {
  return { kind: "other", what: `not readable: ${why}, which the program can correct with "chmod -R a+rX"` };
}

/** Code of an error of the system, such as "ENOENT". */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}

function wordOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a link";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isBlockDevice() || stats.isCharacterDevice()) return "a device";
  return "of an unknown kind";
}
