import { JsonError, fromGoJson } from "@landscaper/goyaml";
import { parseJson } from "@landscaper/json";
import { GoDecodeError, decodeJson } from "../../builtin-types/decode-json.ts";
import { jsonTypeName } from "../../builtin-types/go-scalars.ts";
import { findBuiltinType } from "../../builtin-types/parse-builtin-types.ts";
import { isRecord, listAt, recordAt, stringAt } from "../../objects/json.ts";
import { typeMetaProblem } from "../../rest/type-meta.ts";
import type { Webhook } from "./parse-webhooks.ts";

/** The response of a webhook, checked. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly status: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  /** Operations of the JSON patch of a mutating webhook; empty without a patch. */
  readonly patch: readonly unknown[];
}

/** The response of a webhook, or the problem with it in the words of the real server. */
export type WebhookAnswer = { readonly response: ReviewResponse } | { readonly problem: string };

/** What the review must match. */
interface ReviewedCall {
  readonly kind: Webhook["kind"];
  /** Uid of the AdmissionRequest. */
  readonly uid: unknown;
}

const group = "admission.k8s.io";
const apiVersion = `${group}/v1`;
const kind = "AdmissionReview";

/** Leaves the reading of a review with the problem. */
class ReviewError extends Error {}

/** Reads the AdmissionReview in the response body of a webhook. */
export function readReview(text: string, call: ReviewedCall): WebhookAnswer {
  try {
    return { response: toResponse(decodeReview(text), call) };
  } catch (error) {
    if (error instanceof ReviewError) return { problem: error.message };
    throw error;
  }
}

function callFailure(problem: string): ReviewError {
  return new ReviewError(`failed to call webhook: ${problem}`);
}

function invalidResponse(problem: string): ReviewError {
  return new ReviewError(`received invalid webhook response: ${problem}`);
}

function decodeReview(text: string): Readonly<Record<string, unknown>> {
  const review = parse(text, (problem) => callFailure(`couldn't get version/kind; json parse error: ${problem}`)) ?? {};
  const problem = typeMetaProblem(review);
  if (problem !== undefined || !isRecord(review)) throw callFailure(problem ?? "");
  checkKind(stringAt(review, "apiVersion"), stringAt(review, "kind"));
  const struct = findBuiltinType(apiVersion, kind);
  if (struct === undefined) throw new Error(`the type of ${apiVersion} ${kind} is missing`);
  try {
    const { apiVersion: _version, kind: _kind, ...fields } = review;
    return { ...decodeJson(struct, fields).value, apiVersion: review["apiVersion"], kind: review["kind"] };
  } catch (error) {
    if (error instanceof GoDecodeError) throw callFailure(error.message);
    throw error;
  }
}

/** Accepts absent values: `toResponse` reports them after the response and its uid, as the real server does. */
function checkKind(givenVersion: string, givenKind: string): void {
  const [version, name] = [givenVersion || apiVersion, givenKind || kind];
  if (version === apiVersion && name === kind) return;
  if (name === kind && version === `${group}/v1beta1`)
    throw callFailure("converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion");
  throw callFailure(`no kind ${JSON.stringify(name)} is registered for version ${JSON.stringify(version)}`);
}

function toResponse(review: Readonly<Record<string, unknown>>, call: ReviewedCall): ReviewResponse {
  if (!isRecord(review["response"])) throw invalidResponse("webhook response was absent");
  const response = recordAt(review, "response");
  const uid = stringAt(response, "uid");
  if (uid !== call.uid)
    throw invalidResponse(`expected response.uid=${JSON.stringify(call.uid)}, got ${JSON.stringify(uid)}`);
  const [givenVersion, givenKind] = [stringAt(review, "apiVersion"), stringAt(review, "kind")];
  if (givenVersion === "" || givenKind === "")
    throw invalidResponse(
      `expected webhook response of ${apiVersion}, Kind=${kind}, got ${givenVersion || "/"}, Kind=${givenKind}`,
    );
  const patch = stringAt(response, "patch");
  const patchType = response["patchType"];
  if (call.kind === "validating") checkNoPatch(patch, patchType);
  else checkPatchType(patch, patchType);
  const allowed = response["allowed"] === true;
  return {
    allowed,
    status: recordAt(response, "status"),
    warnings: listAt(response, "warnings").filter((warning) => typeof warning === "string"),
    patch: allowed ? operationsOf(patch, patchType) : [],
  };
}

function checkNoPatch(patch: string, patchType: unknown): void {
  if (patch !== "") throw invalidResponse("validating webhook may not return response.patch");
  if (patchType !== undefined) throw invalidResponse("validating webhook may not return response.patchType");
}

function checkPatchType(patch: string, patchType: unknown): void {
  if (patch !== "" && patchType === undefined)
    throw invalidResponse("webhook returned response.patch but not response.patchType");
  if (patch === "" && patchType !== undefined)
    throw invalidResponse("webhook returned response.patchType but not response.patch");
}

function operationsOf(base64: string, patchType: unknown): readonly unknown[] {
  if (base64 === "") return [];
  const undecodable = (problem: string): ReviewError =>
    new ReviewError(`received undecodable patch in webhook response: ${problem}`);
  const patch = parse(Buffer.from(base64, "base64").toString(), undecodable) ?? [];
  if (!Array.isArray(patch))
    throw undecodable(`json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type jsonpatch.Patch`);
  const operations: readonly unknown[] = patch.map((operation) => operation ?? {}); // Go reads null as an empty map
  const other = operations.find((operation) => !isRecord(operation));
  if (other !== undefined)
    throw undecodable(`json: cannot unmarshal ${jsonTypeName(other)} into Go value of type jsonpatch.Operation`);
  if (operations.length > 0 && patchType !== "JSONPatch")
    throw new ReviewError(`unsupported patch type ${JSON.stringify(patchType)}`);
  return operations;
}

function parse(text: string, toError: (problem: string) => ReviewError): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw toError(goProblemOf(text) ?? error.message);
  }
}

/** Returns why Go cannot read the text as JSON; undefined if it can. */
function goProblemOf(text: string): string | undefined {
  try {
    fromGoJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}
