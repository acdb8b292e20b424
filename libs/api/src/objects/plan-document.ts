import { createHash } from "node:crypto";
import { Type, type Static } from "typebox";
import { base32 } from "../values/base32.ts";
import { createParser } from "../schema/parse.ts";
import * as f from "../schema/schema-fields.ts";

/** The keys of the Secret that the plan of a DeployItem is written to (`annotations.operation: plan`). */
export const planKeys = { json: "plan.json", text: "plan.txt" } as const;

const planDocumentSchema = f.object(
  {
    generation: f.optional(f.int64("Generation of the item that was planned.")),
    time: f.time("When."),
    summary: f.text("One line."),
    changes: Type.Array(Type.Unknown()),
    heldBack: f.optional(
      f.text("Why a job would fail before its first write, because it may not remove what it would remove."),
    ),
    details: f.optional(Type.Unknown({ description: "What else the deployer says, for programs." })),
    omitted: f.optional(f.int64("How many further changes there are; the Secret would be too large with them.")),
  },
  "What a job of a DeployItem would change, masked; nothing when `changes` is empty.",
);

/** What key `planKeys.json` holds. */
export type PlanDocument = Static<typeof planDocumentSchema>;

export const parsePlanDocument = createParser<PlanDocument>(planDocumentSchema, "plan");

const maxNameLength = 253;
const maxLabelLength = 63;
const hashLength = 8;

/** Name of the Secret with the plan of a DeployItem: "NAME-plan", or the head of a name that is too long with a hash. */
export function planSecretName(deployItem: string): string {
  const suffix = "-plan";
  return `${shorten(deployItem, maxNameLength - suffix.length)}${suffix}`;
}

/** Value of label `labels.planOf`: the name of the DeployItem, or the head of a name that is too long with a hash. */
export function planLabelValue(deployItem: string): string {
  return shorten(deployItem, maxLabelLength);
}

function shorten(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const hash = base32(createHash("sha1").update(name, "utf8").digest()).slice(0, hashLength);
  return `${name.slice(0, maxLength - hashLength - 1).replace(/[-.]+$/, "")}-${hash}`;
}
