import type { IgnoredField } from "../schema/ignored-fields.ts";
import { isJsonRecord } from "../values/json-value.ts";

const waits = ["emptyStatusWait", "emptyStatusWaitByKind"];

/** Returns the fields of `readinessChecks` that have no effect because of its level, in any form that a user may have written. */
export function findReadinessWithoutEffect(config: unknown): readonly IgnoredField[] {
  const checks = isJsonRecord(config) ? config["readinessChecks"] : undefined;
  if (!isJsonRecord(checks)) return [];
  const isDisabled = checks["disableDefault"] === true;
  if (checks["level"] === "kstatus" && !isDisabled) return [];
  const why = isDisabled ? "disableDefault is true" : "only level kstatus waits for a status";
  return waits
    .filter((field) => Object.hasOwn(checks, field))
    .map((field) => ({ path: `readinessChecks.${field}`, why }));
}
