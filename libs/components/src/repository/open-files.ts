import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transportLimits } from "../archive/archive-limits.ts";
import { unpackArchive } from "../archive/unpack-archive.ts";
import { componentError } from "../component-error.ts";
import { createArtifactRepository } from "./artifact-repository.ts";
import { BlobFolder } from "./blob-folder.ts";
import { openComponentArchive } from "./component-archive.ts";
import type { ComponentRepository } from "./component-version.ts";
import { listRepositories, openTransportStore } from "./transport-store.ts";

/** A repository in files, open until it is closed. */
export interface FileRepository extends ComponentRepository {
  /** Names of the components in it. */
  listNames(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const prefix = "component-descriptors/";

/**
 * A common transport format or a component archive: a folder, or packed as tar with gzip or without; packed ones are unpacked into a temporary folder. Throws
 * LandscaperError for anything else.
 */
export async function openFileRepository(path: string): Promise<FileRepository> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw componentError("InvalidComponent", `${path}: there is no such file or folder`);
  if (found.isDirectory()) return await openFolder(path, { text: path, close: async () => {} });
  const folder = await mkdtemp(join(tmpdir(), "landscaper-component-"));
  const close = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await unpackArchive(createReadStream(path), { folder, limits: transportLimits, where: path });
    return await openFolder(folder, { text: path, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function openFolder(
  path: string,
  { text, close }: { readonly text: string; readonly close: () => Promise<void> },
): Promise<FileRepository> {
  const folder = new BlobFolder(path);
  const store = await openTransportStore(folder);
  if (store !== undefined) {
    const repository = createArtifactRepository(store, { mapping: "urlPath", subPath: "" });
    const listNames = async (): Promise<readonly string[]> =>
      (await listRepositories(folder)).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    return { ...repository, text, listNames, close };
  }
  const archive = await openComponentArchive(folder);
  if (archive === undefined) {
    throw componentError(
      "InvalidComponent",
      `${text}: expected artifact-index.json (a common transport format) or component-descriptor.yaml (a component archive) in it`,
    );
  }
  return { ...archive, text, close };
}
