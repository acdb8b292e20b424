import { LandscaperError } from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import { maxChunkBytes, type JobFile } from "../contract/job-file.ts";
import { containerAnnotations, secretTypes } from "../contract/labels.ts";
import { contentKey, stateIndexKey, type StateChunk, type StateIndex } from "../contract/state-index.ts";
import { fileRefusal } from "../program-files/file-refusal.ts";
import type { OpenedEntry, OpenFolder } from "../program-files/open-folder.ts";
import { cutChunks } from "../state/cut-chunks.ts";
import { packState } from "../state/pack-state.ts";
import { maxStateEntries } from "../state/state-limits.ts";
import type { JobSecrets } from "./job-secrets.ts";

export interface SaveOptions {
  readonly job: JobFile;
  readonly secrets: JobSecrets;
}

/**
 * Keeps what the program has left as its state: the parts first, then the index, which makes them valid. Until then the state of the run before is the valid one. Resolves to the new index, or to
 * undefined when there is nothing to keep: an empty folder, or none, leaves the state of the run before. Throws LandscaperError (StateRefused, StateOutdated), ApiError and ConnectionError.
 */
export async function saveState(found: OpenedEntry, { job, secrets }: SaveOptions): Promise<StateIndex | undefined> {
  const folder = folderOf(found);
  if (folder === undefined || (await folder.names(0)).length === 0) return undefined;
  const { content, summary } = packState(folder, { bytes: job.limits.stateBytes, entries: maxStateEntries });
  const chunks: StateChunk[] = [];
  for await (const chunk of cutChunks(content, maxChunkBytes)) {
    const name = job.state.chunks[chunks.length];
    if (name === undefined) throw tooManyParts(job);
    await secrets.apply({
      name,
      type: secretTypes.state,
      annotations: {
        [containerAnnotations.stateUuid]: job.suffix,
        [containerAnnotations.stateNumber]: String(chunks.length),
        [containerAnnotations.stateSha256]: chunk.sha256,
      },
      key: contentKey,
      content: chunk.content,
    });
    chunks.push({ name, sha256: chunk.sha256, bytes: chunk.content.length });
  }
  const index: StateIndex = { version: 1, generation: job.suffix, chunks, ...summary() };
  await writeIndex(index, { job, secrets });
  return index;
}

function folderOf(found: OpenedEntry): OpenFolder | undefined {
  if (found.kind === "absent") return undefined;
  if (found.kind === "folder") return found.folder;
  const what = found.kind === "file" ? "a file" : found.what;
  throw fileRefusal("StateRefused", `state: STATE_PATH is ${what}; expected a folder`);
}

/** Only as long as the index is the one that the run has started from: a run that was given up and is still there must not replace the state of a later one. */
async function writeIndex(index: StateIndex, { job, secrets }: SaveOptions): Promise<void> {
  const { name, resourceVersion } = job.state.index;
  const content = Buffer.from(JSON.stringify(index));
  try {
    await secrets.apply(
      { name, type: secretTypes.stateIndex, key: stateIndexKey, content },
      { resourceVersion, mustBeFirst: resourceVersion === undefined },
    );
  } catch (error) {
    if (!isConflict(error)) throw error;
    // It may be ours, when the answer was lost.
    if ((await secrets.read(name, stateIndexKey))?.equals(content) !== true) throw outdated(name);
  }
}

function tooManyParts({ state, limits }: JobFile): LandscaperError {
  const message = `state: it has more than ${state.chunks.length} parts of ${maxChunkBytes} bytes, which is more than ${limits.stateBytes} bytes may become`;
  return fileRefusal("StateRefused", message);
}

function outdated(name: string): LandscaperError {
  return new LandscaperError({
    reason: "StateOutdated",
    message: `state: another run of the item has written Secret ${name} since this one was started`,
    codes: ["ERR_FOR_INFO_ONLY"],
    retry: "never",
  });
}
