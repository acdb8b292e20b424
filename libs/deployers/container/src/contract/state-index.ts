import { createParser } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import { Type, type Static } from "typebox";

/** Key of the index in its Secret. */
export const stateIndexKey = "index.json";
/** Key of a part of the state, and of the exports, in its Secret. */
export const contentKey = "config";

const sha256Schema = Type.String({ pattern: "^[0-9a-f]{64}$", description: "sha256 in hex." });
const bytesSchema = Type.Integer({ minimum: 0, description: "Number of bytes." });

const chunkSchema = Type.Object({
  name: Type.String({ minLength: 1, description: "Name of its Secret." }),
  sha256: sha256Schema,
  bytes: bytesSchema,
});

/** Which Secrets the state of an item consists of: a generation is valid once the index names it. */
export const stateIndexSchema = Type.Object({
  version: Type.Literal(1),
  generation: Type.String({ minLength: 1, description: "End of the name of the Pod that wrote it." }),
  chunks: Type.Array(chunkSchema, { description: "The parts of the archive in their order." }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "sha256 of the archive in hex." }),
  bytes: Type.Integer({ minimum: 0, description: "Bytes of the archive when it is unpacked: as tar." }),
  fileCount: Type.Integer({ minimum: 0, description: "Files in it, without folders." }),
});
export type StateIndex = Static<typeof stateIndexSchema>;
export type StateChunk = StateIndex["chunks"][number];

const parse = createParser<StateIndex>(stateIndexSchema, "state index");

/** Reads the key `index.json` of an index Secret. Throws LandscaperError. */
export function parseStateIndex(text: string, where: string): StateIndex {
  return parse(readJson(text), where);
}

/** Undefined, which no schema accepts, for what is not JSON: the parser of JSON would quote it. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
