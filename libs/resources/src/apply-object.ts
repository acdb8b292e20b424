import type { UnstructuredObject } from "@landscaper/api";
import { isAlreadyExists, isConflict, type Client } from "@landscaper/controller-runtime";
import { decideApply, type ApplyDecision, type ApplyInput } from "./decide-apply.ts";
import type { UnstructuredType } from "./discovery.ts";
import { resourceFailure, type FailedAction } from "./resource-failure.ts";
import { keyOfReference, referenceTo } from "./resource-reference.ts";
import type { TargetCluster } from "./target-cluster.ts";

export interface ApplyObjectOptions {
  readonly cluster: TargetCluster;
  readonly type: UnstructuredType;
  readonly rule: Omit<ApplyInput, "live">;
  readonly signal: AbortSignal;
}

export interface ApplyObjectResult {
  readonly live: UnstructuredObject | undefined;
  /** Whether the object belongs into the inventory. */
  readonly isManaged: boolean;
}

/** Lost races against other writers of the same object that are settled at once. */
const maxRaces = 3;

/**
 * Brings one object to its manifest. What the inventory does not know with a uid is most likely absent, so that it is created
 * without reading first; "already exists" then tells that it is not.
 */
export async function applyObject(options: ApplyObjectOptions): Promise<ApplyObjectResult> {
  let knownAbsent = options.rule.isPlanned;
  for (let race = 0; ; race++) {
    const live = knownAbsent ? undefined : await find(options);
    const decision = decideApply({ ...options.rule, live });
    try {
      return await perform(options, decision, live);
    } catch (error) {
      const lostRace = isConflict(error) || isAlreadyExists(error);
      if (!lostRace || race >= maxRaces) throw failureOf(error, options, decision);
      knownAbsent = false;
    }
  }
}

async function find({ cluster, type, rule, signal }: ApplyObjectOptions): Promise<UnstructuredObject | undefined> {
  const reference = referenceTo(rule.manifest.manifest);
  try {
    return await cluster.client.find(type, keyOfReference(reference, type.namespaced), { signal });
  } catch (error) {
    throw resourceFailure(error, { verb: "get", reference });
  }
}

async function perform(
  { cluster: { client }, type, signal }: ApplyObjectOptions,
  decision: ApplyDecision,
  live: UnstructuredObject | undefined,
): Promise<ApplyObjectResult> {
  switch (decision.type) {
    case "ignore":
      return { live: undefined, isManaged: false };
    case "release":
      return { live, isManaged: false };
    case "adopt":
    case "unchanged":
      return { live, isManaged: true };
    case "create":
      return { live: await client.create(type, decision.object, { signal }), isManaged: true };
    case "replace":
      return { live: await client.update(type, decision.object, { signal }), isManaged: true };
    case "patch":
      return { live: await patch(client, { type, body: decision.body, live, signal }), isManaged: true };
  }
}

interface PatchCall {
  readonly type: UnstructuredType;
  readonly body: Record<string, unknown>;
  readonly live: UnstructuredObject | undefined;
  readonly signal: AbortSignal;
}

/** Guarded by the resource version that the patch was computed from. */
async function patch(client: Client, { type, body, live, signal }: PatchCall): Promise<UnstructuredObject> {
  const metadata = { ...asObject(body["metadata"]), resourceVersion: live?.metadata.resourceVersion };
  const key = { namespace: live?.metadata.namespace, name: live?.metadata.name ?? "" };
  return await client.patch(type, key, { type: "merge", body: { ...body, metadata }, signal });
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

const verbs: Readonly<Record<ApplyDecision["type"], FailedAction["verb"]>> = {
  create: "create",
  replace: "update",
  patch: "patch",
  ignore: "get",
  release: "get",
  adopt: "get",
  unchanged: "get",
};

function failureOf(error: unknown, { rule }: ApplyObjectOptions, decision: ApplyDecision): unknown {
  const { manifest } = rule.manifest;
  return resourceFailure(error, { verb: verbs[decision.type], reference: referenceTo(manifest), sent: manifest });
}
