import { isRecord } from "../objects/json.ts";
import type { DeleteOptions } from "../rest/delete-object.ts";
import type { WriteOptions } from "../rest/rest-context.ts";
import { badRequest } from "../status/status-error.ts";

/** Query parameters of POST, PUT and PATCH. Throws 400. */
export function parseWriteOptions(query: URLSearchParams): WriteOptions {
  const validation = query.get("fieldValidation") ?? "";
  if (!["", "Ignore", "Warn", "Strict"].includes(validation)) {
    throw badRequest(
      `fieldValidation: Unsupported value: ${JSON.stringify(validation)}: supported values: "Ignore", "Strict", "Warn"`,
    );
  }
  const fieldValidation = validation === "Ignore" || validation === "Strict" ? validation : "Warn";
  return { dryRun: parseDryRun(query.get("dryRun")), fieldValidation };
}

/** DeleteOptions from the query and the body; the body wins. Throws 400. */
export function parseDeleteOptions(query: URLSearchParams, body: unknown): DeleteOptions {
  const options = isRecord(body) ? body : {};
  const preconditions = isRecord(options["preconditions"]) ? options["preconditions"] : {};
  const dryRun = Array.isArray(options["dryRun"]) ? options["dryRun"][0] : query.get("dryRun");
  return {
    dryRun: parseDryRun(typeof dryRun === "string" ? dryRun : null),
    uid: textOf(preconditions["uid"]),
    resourceVersion: textOf(preconditions["resourceVersion"]),
    propagationPolicy: parsePropagation(
      textOf(options["propagationPolicy"]) ?? query.get("propagationPolicy") ?? undefined,
      options["orphanDependents"] ?? query.get("orphanDependents"),
    ),
    gracePeriodSeconds: parseSeconds(options["gracePeriodSeconds"] ?? query.get("gracePeriodSeconds")),
  };
}

function parseDryRun(value: string | null): boolean {
  if (value === null || value === "") return false;
  if (value === "All") return true;
  throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(value)}: supported values: "All"`);
}

function parsePropagation(policy: string | undefined, orphan: unknown): DeleteOptions["propagationPolicy"] {
  switch (policy) {
    case undefined:
    case "":
      if (orphan === true || orphan === "true") return "Orphan";
      return orphan === false || orphan === "false" ? "Background" : undefined;
    case "Background":
    case "Foreground":
    case "Orphan":
      return policy;
    default:
      throw badRequest(
        `propagationPolicy: Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", ` +
          '"Orphan", "nil"',
      );
  }
}

function parseSeconds(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const seconds = Number(value);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds;
  throw badRequest(`gracePeriodSeconds: Invalid value: ${JSON.stringify(value)}: must be greater than or equal to 0`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
