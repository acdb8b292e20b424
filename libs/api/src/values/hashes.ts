import { createHash } from "node:crypto";
import { toFloat64 } from "@landscaper/json";
import { goJsonStringify } from "./go-json.ts";
import type { TargetSpec } from "../kinds/target.ts";

function sha1Hex(text: string): string {
  return createHash("sha1").update(text, "utf8").digest("hex");
}

/**
 * `annotations.dataHash` of a DataObject (core.md §3.2). Unchanged if only digits beyond float64 change, so it must not
 * decide whether a value has changed.
 */
export function hashDataObjectValue(value: unknown): string {
  return sha1Hex(goJsonStringify(toFloat64(value), { indent: 2 }));
}

/**
 * `annotations.dataHash` of a Target (core.md §3.2): of its config as the API server sends it, or of the reference to its Secret.
 */
export function hashTarget(spec: Pick<TargetSpec, "config" | "secretRef">): string {
  const { config, secretRef } = spec;
  if (secretRef === undefined) return sha1Hex(config === undefined ? "" : goJsonStringify(toFloat64(config)));
  const { name, key } = secretRef;
  // Field order of the original's struct: not sorted.
  return sha1Hex(JSON.stringify({ secretRef: key === undefined ? { name } : { name, key } }));
}
