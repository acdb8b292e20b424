import { LandscaperError, type ErrorCode } from "@landscaper/api";
import { ApiError, ConnectionError, isTooLarge } from "@landscaper/controller-runtime";
import type { UnstructuredType } from "./discovery.ts";
import type { SimilarType } from "./find-similar-type.ts";
import type { ManifestProblem } from "../manifests/check-manifest.ts";
import { describeTextProblems, findTextProblems } from "../manifests/find-text-problems.ts";
import { formatResource, type ResourceReference } from "./resource-reference.ts";
import { maskAnswer, secretsBut, type SentSecrets } from "./sent-secrets.ts";

/** What was tried with which object, for the message of a failure. */
export interface FailedAction {
  readonly verb: "discover" | "get" | "list" | "create" | "update" | "patch" | "apply" | "delete";
  readonly reference: ResourceReference;
  /** What was sent: what of it is secret is masked in the server's answer. */
  readonly sent?: unknown;
  /** Default: everything is. */
  readonly secrets?: SentSecrets | undefined;
}

/** An apply that does not fit the schema of its kind is answered with 500. */
const typedPatchFailure = "failed to create typed patch object";
const everythingSecret = secretsBut([]);

/**
 * "create ConfigMap default/foo: <what the server said>", with every secret value of the manifest masked. An error that is none of
 * the API's (an abort, a failure that already has its message) is returned as it is.
 */
export async function resourceFailure(error: unknown, action: FailedAction): Promise<unknown> {
  if (error instanceof ApiError) {
    const said = await wordsOf(error, action);
    const message = `${action.verb} ${formatResource(action.reference)}: ${said}`;
    if (isTooLarge(error)) return tooLarge(message);
    if (isOfTerminatingNamespace(error)) return namespaceTerminating(message, action.reference);
    const problems = isUnreadable(error, said) ? findTextProblems(action.sent) : [];
    if (problems.length > 0) return invalidTexts(problems, action.reference);
    if (isOfMissingNamespace(error)) return namespaceMissing(message, action.reference);
    return new LandscaperError({
      message,
      reason: reasonOf(error, said),
      codes: codesOf(error, said),
      hint: isImmutable(error, said) ? recreationHint : undefined,
      retry: isRefusal(error, said) ? "briefly" : "backoff",
    });
  }
  if (error instanceof ConnectionError) {
    return new LandscaperError({
      message: `${action.verb} ${formatResource(action.reference)}: ${error.message}`,
      reason: "TargetUnreachable",
      host: URL.parse(error.server)?.host,
    });
  }
  return error;
}

/** The words of the API server for fields that only a new object can have. */
const immutability =
  /\bis immutable\b|\bmay not (?:be changed|change once set|change fields other than)|updates to statefulset spec for fields other than/;
const recreationHint = "delete the object, so that the next job creates it anew, or restore the old value of the field";

function isImmutable({ status }: ApiError, said: string): boolean {
  return status === 422 && immutability.test(said);
}

/** Whether the API server could not decode the object. Its message names no key of a map. */
function isUnreadable({ status }: ApiError, said: string): boolean {
  return status === 400 || said.startsWith(typedPatchFailure);
}

/** Error of an object with values of a wrong type in fields of strings. */
export function invalidTexts(problems: readonly ManifestProblem[], reference: ResourceReference): LandscaperError {
  const { text, hint } = describeTextProblems(problems);
  return new LandscaperError({
    message: `${formatResource(reference)}: ${text}`,
    reason: "InvalidManifest",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint,
    retry: "never",
  });
}

/** The store of the target has the last word, and it says the same next time. */
function tooLarge(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "TargetObjectTooLarge",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "spread its content over several objects",
    retry: "never",
  });
}

/** The API server refuses a create in a namespace that is being deleted with 403, as if a right was missing. */
function isOfTerminatingNamespace({ status, statusObject }: ApiError): boolean {
  return (
    status === 403 && statusObject.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true
  );
}

function namespaceTerminating(message: string, { namespace = "" }: ResourceReference): LandscaperError {
  return new LandscaperError({
    message,
    reason: "TargetNamespaceTerminating",
    hint: `the job can go on when the namespace is gone and exists again; "kubectl get namespace ${namespace} -o yaml" names what keeps it`,
  });
}

/** The API server answers a create in a namespace that does not exist with 404, and names the namespace. */
function isOfMissingNamespace({ status, statusObject }: ApiError): boolean {
  return status === 404 && statusObject.details?.kind === "namespaces";
}

function namespaceMissing(message: string, { namespace = "" }: ResourceReference): LandscaperError {
  return new LandscaperError({
    message,
    reason: "TargetNamespaceMissing",
    hint: `create namespace ${namespace}, or add its manifest to the item`,
  });
}

async function wordsOf(error: ApiError, { sent, secrets = everythingSecret }: FailedAction): Promise<string> {
  if (sent !== undefined && error.said !== undefined) return await maskAnswer(error.said.reveal(), sent, secrets);
  return error.statusObject.message ?? (error.reason === "" ? `status ${error.status}` : error.reason);
}

function reasonOf({ status }: ApiError, message: string): string {
  if (isDenial(message) || message.startsWith(typedPatchFailure)) return "TargetRefused";
  switch (status) {
    case 401:
      return "TargetUnauthorized";
    case 403:
      return "TargetForbidden";
    case 409:
      return "TargetConflict";
    case 422:
      return "TargetRefused";
    default:
      return status >= 500 ? "TargetUnavailable" : "TargetRefused";
  }
}

/**
 * Whether the API server has found the object wrong: it will say the same next time, unless what it depends on comes in the meantime. Webhooks decide by
 * more than the object.
 */
function isRefusal({ status }: ApiError, message: string): boolean {
  if (/admission webhook \S+ denied the request/.test(message)) return false;
  return status === 400 || status === 422 || message.startsWith(typedPatchFailure);
}

/** A webhook or policy said no: that is about the object, and no matter of rights, although it may be answered with 403. */
function isDenial(message: string): boolean {
  return /admission webhook \S+ denied the request|ValidatingAdmissionPolicy .* denied request/.test(message);
}

function codesOf(error: ApiError, message: string): ErrorCode[] {
  if (error.status === 401) return ["ERR_UNAUTHORIZED"];
  return error.status >= 500 && message.includes("webhook") && !isDenial(message) ? ["ERR_WEBHOOK"] : [];
}

interface OtherTypes {
  /** Where the cluster has the kind, if it has it in another version of its group. */
  readonly served?: UnstructuredType | undefined;
  /** What was probably meant otherwise. */
  readonly similar?: SimilarType | undefined;
}

export function unknownKind(reference: ResourceReference, { served, similar }: OtherTypes = {}): LandscaperError {
  const elsewhere = served === undefined ? "" : `${served.group === "" ? "" : `${served.group}/`}${served.version}`;
  return new LandscaperError({
    message: `${formatResource(reference)}: the target cluster serves no kind ${reference.kind} in ${reference.apiVersion}${elsewhere === "" ? "" : `, but in ${elsewhere}`}`,
    reason: "TargetKindUnknown",
    hint:
      elsewhere === ""
        ? `${suggestion(reference, similar)}install its CustomResourceDefinition first, or correct apiVersion and kind`
        : `set apiVersion to ${elsewhere}, and adapt the fields that differ in it`,
  });
}

function suggestion({ kind }: ResourceReference, similar: SimilarType | undefined): string {
  if (similar === undefined) return "";
  return `did you mean ${similar.kind === kind ? similar.apiVersion : `kind ${similar.kind}`}? Otherwise `;
}

/** Another client removes the object repeatedly. The job does not fight with it. */
export function lostAgain(object: string): LandscaperError {
  return new LandscaperError({
    message: `${object} was removed twice during the job`,
    reason: "TargetObjectLost",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "find the client that removes it, for example a controller, a cleanup job or a limit of its lifetime",
    retry: "never",
  });
}

const maxNamedFailures = 5;

/** One error for many: the messages of the first, the codes of all. */
export function combineFailures(failures: readonly LandscaperError[], total: number): LandscaperError {
  const [first, ...others] = failures;
  if (first === undefined) throw new RangeError("combineFailures: there must be a failure");
  if (others.length === 0) return first;
  const named = failures.slice(0, maxNamedFailures).map(({ message }) => message);
  const unnamed = failures.length - named.length;
  return new LandscaperError({
    message: `${failures.length} of ${total} objects failed: ${named.join("; ")}${unnamed > 0 ? `; and ${unnamed} more` : ""}`,
    reason: first.reason,
    codes: [...new Set(failures.flatMap(({ codes }) => codes))],
    retry: (["never", "briefly"] as const).find((rule) => failures.some(({ retry }) => retry === rule)) ?? "backoff",
    hint: failures.find(({ hint }) => hint !== undefined)?.hint,
    host: first.host,
  });
}
