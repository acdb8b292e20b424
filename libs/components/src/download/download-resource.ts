import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  componentText,
  findByIdentity,
  formatIdentity,
  type Identity,
  identityText,
  type Resource,
  selectElements,
} from "@landscaper/ocm";
import { transportLimits } from "../archive/archive-limits.ts";
import { unpackArchive } from "../archive/unpack-archive.ts";
import { componentError, withPlace } from "../component-error.ts";
import type { ComponentVersion } from "../repository/component-version.ts";
import { createFolder } from "../write/create-folder.ts";
import { writeWholeFile } from "../write/write-whole-file.ts";
import { withArchive, withContent, type ContentOptions } from "./open-content.ts";

export interface DownloadOptions extends Omit<ContentOptions, "where"> {
  /** Name, and extra identity where the name is not enough. */
  readonly selector: Identity;
  /** A file, or with `unpack` a folder, which may be there and empty. */
  readonly output: string;
  /** Whether the files of an archive are wanted, not the archive. */
  readonly unpack: boolean;
  /** Whether a file that is there is replaced. */
  readonly overwrite: boolean;
}

/** Writes the content of a resource, whole or not at all. Throws LandscaperError. */
export async function downloadResource(version: ComponentVersion, options: DownloadOptions): Promise<void> {
  const { output, unpack, overwrite, selector } = options;
  const resource = findOne(version, selector);
  const where = `component ${componentText(version.descriptor)}: resource "${identityText(resource, version.descriptor.resources)}"`;
  await checkOutput(output, { unpack, overwrite });
  const file = resolve(output);
  createFolder(dirname(file));
  const content = { ...options, where };
  await withPlace(where, async () => {
    if (unpack) {
      await withArchive({ version, resource }, content, async (bytes) => await unpackInto(file, bytes, where));
      return;
    }
    await withContent({ version, resource }, content, async (bytes) =>
      writeWholeFile({ folder: dirname(file), content: bytes, nameOf: () => basename(file) }),
    );
  });
}

function findOne({ descriptor }: ComponentVersion, selector: Identity): Resource {
  const { resources } = descriptor;
  const exact = findByIdentity(resources, selector);
  if (exact !== undefined) return exact;
  const found = selectElements(resources, selector);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const names = (first === undefined ? resources : found).map((one) => identityText(one, resources)).join("; ");
  throw componentError(
    "InvalidComponent",
    `component ${componentText(descriptor)}: expected one resource ${formatIdentity(selector)}, found ${found.length}; there are: ${names === "" ? "none" : names}`,
  );
}

async function checkOutput(
  output: string,
  { unpack, overwrite }: Pick<DownloadOptions, "unpack" | "overwrite">,
): Promise<void> {
  const found = await stat(output).catch(() => undefined);
  if (found === undefined) return;
  if (unpack) {
    if (found.isDirectory() && (await readdir(output)).length === 0) return;
    throw componentError("InvalidComponent", `${output}: expected a folder that is empty or not there`);
  }
  if (found.isDirectory()) throw componentError("InvalidComponent", `${output}: expected a file, found a folder`);
  if (!overwrite) throw componentError("InvalidComponent", `${output} is there already; --overwrite replaces it`);
}

async function unpackInto(folder: string, bytes: AsyncIterable<Uint8Array>, where: string): Promise<void> {
  const temporary = join(dirname(folder), `.unfinished.${randomBytes(8).toString("hex")}`);
  try {
    await mkdir(temporary, { mode: 0o700 });
    await unpackArchive(bytes, { folder: temporary, limits: transportLimits, where });
    await rmdir(folder).catch(() => {});
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
