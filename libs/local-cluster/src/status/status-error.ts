import type { FieldError } from "./field-error.ts";
import { formatFieldErrors } from "./field-error.ts";

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** The `Status` object of the Kubernetes API. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export function failure(fields: Pick<Status, "code" | "message" | "reason" | "details">): Status {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", ...fields };
}

/** An answer >= 400: thrown anywhere below the HTTP layer, written there as a Status object. */
export class StatusError extends Error {
  readonly status: Status;
  /** Texts for Warning headers of the answer. */
  readonly warnings: readonly string[];

  constructor(fields: Pick<Status, "code" | "message" | "reason" | "details">, warnings: readonly string[] = []) {
    super(fields.message ?? "");
    this.name = "StatusError";
    this.status = failure(fields);
    this.warnings = warnings;
  }
}

/** What error texts need to know of a resource. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

function detailsOf(resource: ResourceName, name: string): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(resource.group === "" ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

/** "deployments.apps", or "pods" in the core group. */
export function qualifiedResource(resource: ResourceName): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** "Deployment.apps", or "Pod" in the core group. */
export function qualifiedKind(resource: ResourceName): string {
  return resource.group === "" ? resource.kind : `${resource.kind}.${resource.group}`;
}

export function notFound(resource: ResourceName, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: "NotFound",
    message: `${qualifiedResource(resource)} "${name}" not found`,
    details: detailsOf(resource, name),
  });
}

export function alreadyExists(resource: ResourceName, name: string): StatusError {
  return new StatusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${qualifiedResource(resource)} "${name}" already exists`,
    details: detailsOf(resource, name),
  });
}

const modifiedText = "the object has been modified; please apply your changes to the latest version and try again";

export function conflict(resource: ResourceName, name: string, why: string = modifiedText): StatusError {
  return new StatusError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${qualifiedResource(resource)} "${name}": ${why}`,
    details: detailsOf(resource, name),
  });
}

export function forbidden(resource: ResourceName, name: string, why: string): StatusError {
  const subject = name === "" ? qualifiedResource(resource) : `${qualifiedResource(resource)} "${name}"`;
  return new StatusError({
    code: 403,
    reason: "Forbidden",
    message: `${subject} is forbidden: ${why}`,
    details: detailsOf(resource, name),
  });
}

export function invalid(resource: ResourceName, name: string, errors: readonly FieldError[]): StatusError {
  return new StatusError({
    code: 422,
    reason: "Invalid",
    message: `${qualifiedKind(resource)} "${name}" is invalid: ${formatFieldErrors(errors)}`,
    details: {
      ...(name === "" ? {} : { name }),
      ...(resource.group === "" ? {} : { group: resource.group }),
      ...(resource.kind === "" ? {} : { kind: resource.kind }),
      causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: "BadRequest", message });
}

export function methodNotAllowed(): StatusError {
  return new StatusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}

export function resourceNotServed(): StatusError {
  return new StatusError({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
}

export function internalError(text: string): StatusError {
  return new StatusError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${text}`,
    details: { causes: [{ message: text }] },
  });
}

export function expired(message: string): StatusError {
  return new StatusError({ code: 410, reason: "Expired", message });
}
