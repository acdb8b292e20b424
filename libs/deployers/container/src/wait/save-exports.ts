import { containerAnnotations, secretTypes } from "../contract/labels.ts";
import { contentKey } from "../contract/state-index.ts";
import { fileRefusal } from "../program-files/file-refusal.ts";
import type { OpenedEntry } from "../program-files/open-folder.ts";
import type { SaveOptions } from "./save-state.ts";

/**
 * Writes the exports of the program, as it wrote them, into the Secret of the job. Resolves to their size; undefined when there is no file, or an empty one. Throws LandscaperError (ExportsRefused),
 * ApiError and ConnectionError.
 */
export async function saveExports(found: OpenedEntry, { job, secrets }: SaveOptions): Promise<number | undefined> {
  const content = await readExports(found, job.limits.exportBytes);
  if (content === undefined || content.length === 0) return undefined;
  await secrets.apply({
    name: job.exports.name,
    type: secretTypes.export,
    annotations: { [containerAnnotations.job]: job.pod },
    key: contentKey,
    content,
  });
  return content.length;
}

async function readExports(found: OpenedEntry, maxBytes: number): Promise<Buffer | undefined> {
  if (found.kind === "absent") return undefined;
  if (found.kind === "other") throw refuse(`is ${found.what}; expected a file`);
  if (found.kind === "folder") throw refuse("is a folder; expected a file");
  const { handle, stats } = found;
  if (stats.nlink > 1) throw refuse(`has ${stats.nlink} names (hard links); expected one`);
  if (stats.size > maxBytes) throw refuse(`has ${stats.size} bytes, more than the allowed ${maxBytes}`);
  // Not more than it had when it was looked at.
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(stats.size), position: 0 });
  return buffer.subarray(0, bytesRead);
}

function refuse(problem: string): Error {
  return fileRefusal("ExportsRefused", `exports: EXPORTS_PATH ${problem}`);
}
