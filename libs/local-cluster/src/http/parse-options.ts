import { isPrintable, managerOf, maxManagerBytes } from "../managed-fields/manager-name.ts";
import { fieldAt, isRecord } from "../objects/json.ts";
import type { DeleteOptions } from "../rest/delete-object.ts";
import type { WriteOptions } from "../rest/rest-context.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, requiredField, unsupportedField } from "../status/field-error.ts";
import type { StatusError } from "../status/status-error.ts";
import { badRequest, invalid } from "../status/status-error.ts";
import type { ApiRequest } from "./api-request.ts";

export type WriteOptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

type OptionSources = Pick<ApiRequest, "query" | "userAgent">;

/** Query parameters of POST, PUT and PATCH. Throws 422. */
export function parseWriteOptions({ query, userAgent }: OptionSources, kind: WriteOptionsKind): WriteOptions {
  const validation = query.get("fieldValidation") ?? "";
  if (!["", "Ignore", "Warn", "Strict"].includes(validation)) {
    throw refuse(kind, unsupportedField("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"]));
  }
  const fieldValidation = validation === "Ignore" || validation === "Strict" ? validation : "Warn";
  const fieldManager = query.get("fieldManager") ?? "";
  checkManager(fieldManager, kind);
  const manager = managerOf(fieldManager, userAgent);
  return { dryRun: parseDryRun(query.getAll("dryRun"), kind), fieldValidation, manager };
}

/** Those of PATCH: an apply must name its manager, and may force. Throws 422. */
export function parsePatchOptions(
  request: OptionSources & Pick<ApiRequest, "contentType">,
): WriteOptions & { readonly force: boolean } {
  const { query } = request;
  const options = parseWriteOptions(request, "PatchOptions");
  const force = query.get("force");
  if (request.contentType !== "application/apply-patch+yaml") {
    if (force === null) return { ...options, force: false };
    throw refuse("PatchOptions", forbiddenField("force", "may not be specified for non-apply patch"));
  }
  if ((query.get("fieldManager") ?? "") === "") {
    throw refuse("PatchOptions", requiredField("fieldManager", "is required for apply patch"));
  }
  return { ...options, force: force !== null && force !== "false" && force !== "0" };
}

function checkManager(manager: string, kind: string): void {
  if (Buffer.byteLength(manager) > maxManagerBytes) {
    const message = `Too long: may not be more than ${maxManagerBytes} bytes`;
    throw refuse(kind, { reason: "FieldValueTooLong", field: "fieldManager", message });
  }
  const characters = Array.from(manager);
  const index = characters.findIndex((character) => !isPrintable(character));
  const found = characters[index];
  if (found === undefined) return;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  // As Go quotes control characters.
  const quoted = JSON.stringify(manager).replaceAll(String.raw`\u00`, String.raw`\x`);
  const message = `Invalid value: ${quoted}: invalid character U+${code} (at position ${index})`;
  throw refuse(kind, { reason: "FieldValueInvalid", field: "fieldManager", message });
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
