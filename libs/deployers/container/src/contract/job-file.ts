import { createParser, egressFields } from "@landscaper/api";
import { Type, type Static } from "typebox";
import { longestGraceSeconds } from "./grace-period.ts";
import { readJson } from "./state-index.ts";

/** Most bytes of a part of the state: a Secret holds 1 MiB. */
export const maxChunkBytes = 1_000_000;
/** Most bytes of exports, for the same reason. */
export const maxExportBytes = 1_000_000;
/** Default of `state.maxSize`: most bytes of a state, as an archive that is not compressed. */
export const defaultStateBytes = 64 * 1024 ** 2;

const nameSchema = Type.String({ minLength: 1, description: "Name of an object." });

const restoredChunkSchema = Type.Object({
  name: nameSchema,
  sha256: Type.Optional(Type.String({ description: "sha256 in hex; absent in states that the original wrote." })),
  bytes: Type.Optional(Type.Integer({ minimum: 0, description: "Absent in states that the original wrote." })),
});

const restoredStateSchema = Type.Object({
  chunks: Type.Array(restoredChunkSchema, { minItems: 1, description: "The parts in their order." }),
  sha256: Type.Optional(Type.String({ description: "Of the whole archive in hex." })),
  bytes: Type.Optional(Type.Integer({ minimum: 0, description: "Of the archive when it is unpacked." })),
});
export type RestoredState = Static<typeof restoredStateSchema>;

const pinsSchema = Type.Object({
  image: Type.Optional(Type.String({ description: "Digest of the image of the program, where a component names it." })),
  blueprint: Type.Optional(
    Type.String({ description: "Reference to the blueprint, where it is an artifact of its own." }),
  ),
});
/** What the core has noted on the item (docs/reference/components.md#pins). */
export type RunPins = Static<typeof pinsSchema>;

/** What the deployer tells init and wait: `job.json` beside `configuration.json`. Nothing in it is secret. */
export const jobFileSchema = Type.Object({
  version: Type.Literal(1),
  pod: nameSchema,
  /** End of the Pod's name: the generation of the state that the run writes. */
  suffix: nameSchema,
  operation: Type.Enum(["RECONCILE", "DELETE"]),
  /** What the core knows of the components of the item; the DELETE run is made with the same. */
  pins: Type.Optional(pinsSchema),
  state: Type.Object({
    restore: Type.Optional(restoredStateSchema),
    index: Type.Object({
      name: nameSchema,
      /** Undefined while the item has no index: then nobody else may have made one. */
      resourceVersion: Type.Optional(Type.String({ minLength: 1 })),
    }),
    /** Names that wait may write parts to: as many as `stateChunkCount` of the limit. */
    chunks: Type.Array(nameSchema),
  }),
  exports: Type.Object({ name: nameSchema }),
  limits: Type.Object({
    /** Of the archive of the state, not compressed. */
    stateBytes: Type.Integer({ minimum: 1 }),
    exportBytes: Type.Integer({ minimum: 1, maximum: maxExportBytes }),
  }),
  /** Grace period of the Pod, in seconds. */
  graceSeconds: Type.Integer({ minimum: 1, default: longestGraceSeconds }),
  /** Of all objects that wait writes; it adds the type. */
  labels: Type.Record(Type.String(), Type.String()),
  oci: Type.Object({
    allowPlainHttp: Type.Boolean({ default: false }),
    insecureSkipVerify: Type.Boolean({ default: false }),
  }),
  ...egressFieldOf(),
});
export type JobFile = Static<typeof jobFileSchema>;

/** Which hosts init may reach: `egress` of the deployer's configuration. */
function egressFieldOf() {
  return { egress: egressFields.egress };
}

const parse = createParser<JobFile>(jobFileSchema, "job file");

/** Throws LandscaperError. */
export function parseJobFile(text: string, where: string): JobFile {
  return parse(readJson(text), where);
}

/** Most parts that the state of a run can have: what cannot be compressed grows by less than a thousandth, and by the frame of gzip. */
export function stateChunkCount(stateBytes: number): number {
  return Math.ceil((stateBytes * 1.001 + 1024) / maxChunkBytes);
}
