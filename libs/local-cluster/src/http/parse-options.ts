import { fieldAt, isRecord } from "../objects/json.ts";
import type { DeleteOptions } from "../rest/delete-object.ts";
import type { WriteOptions } from "../rest/rest-context.ts";
import type { FieldError } from "../status/field-error.ts";
import { unsupportedField } from "../status/field-error.ts";
import type { StatusError } from "../status/status-error.ts";
import { badRequest, invalid } from "../status/status-error.ts";

/** Query parameters of POST, PUT and PATCH; `kind` is CreateOptions, UpdateOptions or PatchOptions. Throws 422. */
export function parseWriteOptions(query: URLSearchParams, kind: string): WriteOptions {
  const validation = query.get("fieldValidation") ?? "";
  if (!["", "Ignore", "Warn", "Strict"].includes(validation)) {
    throw refuse(kind, unsupportedField("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"]));
  }
  const fieldValidation = validation === "Ignore" || validation === "Strict" ? validation : "Warn";
  return { dryRun: parseDryRun(query.getAll("dryRun"), kind), fieldValidation };
}

/** DeleteOptions from the query and the body; the body wins. Throws 422. */
export function parseDeleteOptions(query: URLSearchParams, body: unknown): DeleteOptions {
  const options = isRecord(body) ? body : {};
  const dryRun = Array.isArray(options["dryRun"]) ? options["dryRun"] : query.getAll("dryRun");
  return {
    dryRun: parseDryRun(dryRun, "DeleteOptions"),
    uid: textOf(fieldAt(options, "preconditions", "uid")),
    resourceVersion: textOf(fieldAt(options, "preconditions", "resourceVersion")),
    propagationPolicy: parsePropagation(
      textOf(options["propagationPolicy"]) ?? query.get("propagationPolicy") ?? undefined,
      options["orphanDependents"] ?? query.get("orphanDependents"),
    ),
    gracePeriodSeconds: parseSeconds(options["gracePeriodSeconds"] ?? query.get("gracePeriodSeconds")),
  };
}

function refuse(kind: string, error: FieldError): StatusError {
  return invalid({ group: "meta.k8s.io", kind, plural: kind }, "", [error]);
}

function parseDryRun(values: readonly unknown[], kind: string): boolean {
  if (values.length === 0) return false;
  if (values.every((value) => value === "All")) return true;
  const message = `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`;
  throw refuse(kind, { reason: "FieldValueNotSupported", field: "dryRun", message });
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
    default: {
      const supported = ["Foreground", "Background", "Orphan", "nil"];
      throw refuse("DeleteOptions", unsupportedField("propagationPolicy", policy, supported));
    }
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
