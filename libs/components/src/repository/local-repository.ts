import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { digestOf } from "@landscaper/oci";
import { componentText, parseDescriptor } from "@landscaper/ocm";
import { packTree } from "../archive/pack-tree.ts";
import { transportLimits, treeLimits } from "../archive/archive-limits.ts";
import { MissingContentError, componentError } from "../component-error.ts";
import type { OpenFiles } from "../source/component-source.ts";
import { BlobFolder } from "./blob-folder.ts";
import type { ComponentRepository, LocalContent, StoredComponent } from "./component-version.ts";
import { openFolder } from "./open-files.ts";
import { readComponent } from "./read-component.ts";
import { UnpackedFiles, type UnpackedFilesOptions } from "./unpacked-files.ts";

const blobs = "blobs";
/** More descriptors than a folder for development has. */
const maxDescriptors = 1000;

/** What a path of a user names below `root`. Throws LandscaperError for one that leads out of it, also by links. */
export async function pathBelow(root: string, filePath: string, where: string): Promise<string> {
  const segments = filePath.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
  const refused = componentError(
    "InvalidComponent",
    `${where}: filePath: expected a path below the folder of local repositories, found ${JSON.stringify(filePath)}`,
  );
  if (segments.includes("..") || filePath.includes("\0")) throw refused;
  const base = await realpath(root).catch(() => undefined);
  if (base === undefined)
    throw componentError("InvalidComponent", `${where}: the folder of local repositories is not there`);
  const wanted = join(base, ...segments);
  const found = await realpath(wanted).catch(() => undefined);
  if (found === undefined)
    throw componentError("InvalidComponent", `${where}: filePath: there is no ${JSON.stringify(filePath)}`);
  // A link anywhere on the way makes them differ.
  if (found !== wanted) throw refused;
  return found;
}

/** Repositories in files below a folder, open until they are closed. */
export interface FilesBelow {
  readonly open: OpenFiles;
  close(): Promise<void>;
}

/** Less than a person at a terminal gets: the temporary folder is that of a service. */
const unpackedDefaults: UnpackedFilesOptions = {
  limits: { ...transportLimits, totalBytes: 1024 ** 3 },
  maxFiles: 4,
  inUseMs: 15 * 60_000,
};

/** Opens repositories below `root`, packed ones as well; nothing else of the disk can be reached. */
export function openFilesBelow(root: string, options: Partial<UnpackedFilesOptions> = {}): FilesBelow {
  const unpacked = new UnpackedFiles({ ...unpackedDefaults, ...options });
  const open: OpenFiles = async ({ kind, filePath }, where) => {
    const path = await pathBelow(root, filePath, where);
    // Users are not told where the folder is.
    const text = `local repository ${JSON.stringify(filePath)}`;
    if (kind === "local") return await openLocalRepository(path, text);
    const isFolder = (await lstat(path)).isDirectory();
    return await openFolder(isFolder ? path : await unpacked.folderOf(path, text), text);
  };
  return { open, close: async () => unpacked.close() };
}

/**
 * A folder whose files are descriptors, with the content of local resources by name in the folder "blobs"; content that is a folder is packed as tar
 * (docs/reference/components.md#local). Links are not followed. `text` names it in messages. Throws LandscaperError.
 */
export async function openLocalRepository(path: string, text: string): Promise<ComponentRepository> {
  const folder = new BlobFolder(path, text);
  const stored = new Map<string, StoredComponent>();
  const versions = new Map<string, string[]>();
  for (const name of await listFiles(path, text)) {
    const where = `${text}/${name}`;
    const bytes = await folder.read(name);
    if (bytes === undefined) continue;
    const { name: component, version } = parseDescriptor(bytes.toString("utf8"), where);
    stored.set(componentText({ name: component, version }), {
      where,
      readText: async () => ({ bytes, digest: digestOf(bytes) }),
      findLocal: async (reference) => await findBlob(path, reference, where),
    });
    versions.set(component, [...(versions.get(component) ?? []), version]);
  }
  const find: ComponentRepository["open"] = async (component) => stored.get(componentText(component));
  return {
    text,
    open: find,
    find: async (component, options) => await readComponent(await find(component, options), component, options),
    listVersions: async (name) => versions.get(name) ?? [],
  };
}

async function listFiles(path: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) throw componentError("InvalidComponent", `${text}: expected a folder with descriptors`);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  if (files.length <= maxDescriptors) return files.toSorted();
  throw componentError("InvalidComponent", `${text}: more than the allowed ${maxDescriptors} descriptors`);
}

async function findBlob(path: string, reference: string, where: string): Promise<LocalContent> {
  const isName = /^[^/\\\0]+$/.test(reference) && reference !== "." && reference !== "..";
  const file = join(path, blobs, reference);
  const found = isName ? await lstat(file).catch(() => undefined) : undefined;
  const parent = await lstat(join(path, blobs)).catch(() => undefined);
  if (found === undefined || parent?.isDirectory() !== true) throw new MissingContentError(where, reference);
  if (found.isDirectory()) {
    return { mediaType: "application/x-tar", stream: () => packTree(listTree(file, where)) };
  }
  if (!found.isFile())
    throw componentError("InvalidComponent", `${where}: ${JSON.stringify(reference)}: expected a file or folder`);
  return { mediaType: "", stream: () => readPlain(file) };
}

async function* readPlain(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for await (const part of handle.createReadStream({ autoClose: false })) yield part as Buffer;
  } finally {
    await handle.close();
  }
}

/** The files of a folder by path; links and devices are errors. */
async function* listTree(root: string, where: string): AsyncGenerator<readonly [path: string, content: Buffer]> {
  let count = 0;
  let size = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
    if (!entry.isFile()) throw componentError("InvalidComponent", `${where}: ${path}: expected a file`);
    const content = await new BlobFolder(entry.parentPath).read(entry.name);
    count += 1;
    size += content?.length ?? 0;
    if (count > treeLimits.entries || size > treeLimits.totalBytes) {
      throw componentError(
        "InvalidComponent",
        `${where}: the folder ${path} is in has more than the allowed files or bytes`,
      );
    }
    if (content !== undefined) yield [path, content];
  }
}
