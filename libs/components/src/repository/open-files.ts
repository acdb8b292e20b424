import { stat } from "node:fs/promises";
import { transportLimits } from "../archive/archive-limits.ts";
import { componentError } from "../component-error.ts";
import { createArtifactRepository } from "./artifact-repository.ts";
import { BlobFolder } from "./blob-folder.ts";
import { openComponentArchive } from "./component-archive.ts";
import type { ComponentRepository } from "./component-version.ts";
import { listRepositories, openTransportStore } from "./transport-store.ts";
import { unpackFile } from "./unpacked-files.ts";

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
  if (found.isDirectory()) return { ...(await openFolder(path, path)), close: async () => {} };
  const unpacked = await unpackFile(path, { text: path, limits: transportLimits });
  const close = async (): Promise<void> => unpacked.remove();
  try {
    return { ...(await openFolder(unpacked.folder, path)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A common transport format or a component archive in a folder; `text` is what messages call it. Throws LandscaperError for anything else. */
export async function openFolder(path: string, text: string): Promise<Omit<FileRepository, "close">> {
  const folder = new BlobFolder(path, text);
  const store = await openTransportStore(folder);
  if (store !== undefined) {
    const repository = createArtifactRepository(store, { mapping: "urlPath", subPath: "" });
    const listNames = async (): Promise<readonly string[]> =>
      (await listRepositories(folder)).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    return { ...repository, text, listNames };
  }
  const archive = await openComponentArchive(folder);
  if (archive === undefined) {
    throw componentError(
      "InvalidComponent",
      `${text}: expected artifact-index.json (a common transport format) or component-descriptor.yaml (a component archive) in it`,
    );
  }
  return { ...archive, text };
}
