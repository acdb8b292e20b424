import { createHash } from "node:crypto";
import type { RestoredState } from "../contract/job-file.ts";
import { stateDamage } from "./state-damage.ts";

/** Reads the content of a part; undefined when it is not there. */
export type ReadChunk = (name: string) => Promise<Uint8Array | undefined>;

/**
 * The archive whose parts were kept, each checked before it is passed on, and the whole at its end. Throws LandscaperError (StateDamaged) with the name of the part. Parts
 * that the original wrote have no checksums.
 */
export async function* joinChunks(state: RestoredState, read: ReadChunk): AsyncGenerator<Uint8Array> {
  const whole = createHash("sha256");
  for (const [index, { name, sha256, bytes }] of state.chunks.entries()) {
    const where = `part ${index + 1} of ${state.chunks.length}, Secret ${name}`;
    const content = await read(name);
    if (content === undefined) throw stateDamage(`${where}: it is not there`);
    if (bytes !== undefined && content.length !== bytes) {
      throw stateDamage(`${where}: expected ${bytes} bytes, found ${content.length}`);
    }
    checkDigest(content, sha256, where);
    whole.update(content);
    yield content;
  }
  if (state.sha256 !== undefined && whole.digest("hex") !== state.sha256) {
    throw stateDamage("the parts are not those of one archive: its sha256 is another one");
  }
}

function checkDigest(content: Uint8Array, expected: string | undefined, where: string): void {
  if (expected === undefined || createHash("sha256").update(content).digest("hex") === expected) return;
  throw stateDamage(`${where}: its sha256 is another one than when it was written`);
}
