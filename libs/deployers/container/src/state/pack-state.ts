import { createHash } from "node:crypto";
import { gzipped, packFiles, type FileToPack } from "@landscaper/components";
import { fileRefusal } from "../program-files/file-refusal.ts";
import type { OpenFolder } from "../program-files/open-folder.ts";
import { listState } from "./list-state.ts";
import type { StateLimits } from "./state-limits.ts";

/** What an archive of a state is. */
export interface StateSummary {
  /** Of the compressed archive, in hex. */
  readonly sha256: string;
  /** Of the archive, not compressed. */
  readonly bytes: number;
  readonly fileCount: number;
}

export interface PackedState {
  /** tar with gzip, to be read once. Throws as `listState` does. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Of all that has been read of the content: it is complete at the end of it. */
  readonly summary: () => StateSummary;
}

/** Packs a state as it is read, in bounded memory. */
export function packState(folder: OpenFolder, limits: StateLimits): PackedState {
  const hash = createHash("sha256");
  let bytes = 0;
  let fileCount = 0;
  const countFiles = async function* (): AsyncGenerator<FileToPack> {
    for await (const file of listState(folder, limits)) {
      if (file.content !== undefined) fileCount += 1;
      yield file;
    }
  };
  const countBytes = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of packFiles(countFiles())) {
      bytes += part.length;
      // Long names take more than the files alone.
      if (bytes > limits.bytes) {
        throw fileRefusal("StateRefused", `state: it is larger than the allowed ${limits.bytes} bytes`);
      }
      yield part;
    }
  };
  const content = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of gzipped(countBytes())) {
      hash.update(part);
      yield part;
    }
  };
  return { content: content(), summary: () => ({ sha256: hash.copy().digest("hex"), bytes, fileCount }) };
}
