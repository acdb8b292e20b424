import { annotations, type UnstructuredObject } from "@landscaper/api";
import { decideApply, decideApplyUnseen, type ApplyDecision, type ApplyInput } from "./decide-apply.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { isLostRace, maxRaces } from "../cluster/lost-race.ts";
import { resourceFailure, type FailedAction } from "../cluster/resource-failure.ts";
import { formatResource, keyOfReference, referenceTo } from "../cluster/resource-reference.ts";
import type { KeptField } from "../fields/kept-field.ts";
import { managersFor } from "./managed-fields.ts";
import { pauseFor } from "./pause-for.ts";
import { areReplicasSettled, findKeptFields, type KeptFieldsOptions } from "../fields/find-kept-fields.ts";
import { applyOnServer, UnseenConflictError } from "./server-side-apply.ts";
import { isOwnedBy, judgeOwnership, ownerAnnotationKeys } from "../cluster/owner-label.ts";
import { judgeTakeOver, ownedByOther, type TakeOver } from "../cluster/take-over.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { writeObject } from "./write-object.ts";
import { fingerprintOf } from "./written-objects.ts";

/** How an object is applied. */
export type ApplyRule = Omit<ApplyInput, "live" | "kept" | "takesOver">;

export interface ApplyObjectOptions {
  readonly cluster: TargetCluster;
  readonly type: UnstructuredType;
  readonly rule: ApplyRule;
  /** The live object, when a list has just brought it. */
  readonly seen?: UnstructuredObject | undefined;
  /** With strategy `apply`: takes fields over from other managers. */
  readonly force?: boolean | undefined;
  /** Default: nothing is taken over from other items. */
  readonly takeOver?: TakeOver | undefined;
  readonly signal: AbortSignal;
}

export interface ApplyObjectResult {
  readonly live: UnstructuredObject | undefined;
  /** Whether the object belongs into the inventory. */
  readonly isManaged: boolean;
  /** What was done; undefined for what nobody had touched. */
  readonly decision?: ApplyDecision | undefined;
  /** Whether it is known that the object was already as it is now. */
  readonly isUnchanged?: boolean | undefined;
  /** Whether the object may have been created, or have got another generation. */
  readonly isNewGeneration?: boolean | undefined;
}

/**
 * Brings one object to its manifest. What the inventory does not know with a uid is most likely absent, so that it is created
 * without reading first; "already exists" then tells that it is not. What was applied before is applied again, unseen. What nobody
 * has touched since it was written from this manifest is not written again.
 */
export async function applyObject(options: ApplyObjectOptions): Promise<ApplyObjectResult> {
  const { rule, cluster } = options;
  const fingerprint = fingerprintOf(rule);
  const isUntouched = (live: UnstructuredObject | undefined): boolean =>
    live !== undefined && cluster.written?.isUntouched(live, fingerprint) === true;
  for (let race = 0; ; race++) {
    const seen = race === 0 ? options.seen : undefined;
    const unseen = race === 0 && !isUntouched(seen) ? decideApplyUnseen({ ...rule, live: undefined }) : undefined;
    const live = unseen === undefined ? (seen ?? (await find(options))) : undefined;
    // Parsing, comparing, copying, and writing are a turn each.
    const pause = pauseFor(live, rule.manifest.manifest);
    await pause();
    // The object does not show that its autoscaler was deleted.
    if (live !== undefined && isUntouched(live) && (await areReplicasSettled(keptFieldsOptions(options, live)))) {
      return { live, isManaged: true, isUnchanged: true };
    }
    await pause();
    const own = forObject(options, live);
    const { decision, from } = unseen === undefined ? await decide(own, live) : { decision: unseen };
    await pause();
    try {
      const result = await perform(own, decision, live);
      await pause();
      // What is applied unseen is as it was when nothing has come of it.
      const isUnchanged = isSameVersion(result.live, seen ?? live) || isUntouched(result.live);
      if (isWhole(rule, decision) && result.live !== undefined) cluster.written?.remember(result.live, fingerprint);
      if (from !== undefined)
        options.takeOver?.onTaken(formatResource(referenceTo(rule.manifest.manifest)), from.owner);
      const isNewGeneration = !isUnchanged && result.live?.metadata.generation !== (seen ?? live)?.metadata.generation;
      return { ...result, decision, isUnchanged, isNewGeneration };
    } catch (error) {
      const mustLook = isLostRace(error) || error instanceof UnseenConflictError;
      if (!mustLook || race >= maxRaces) throw await failureOf(error, options, decision);
    }
  }
}

/** The options with the field managers that are the item's on this object. */
function forObject(options: ApplyObjectOptions, live: UnstructuredObject | undefined): ApplyObjectOptions {
  const { rule } = options;
  if (rule.managers === undefined) return options;
  const managers = managersFor(rule.managers, live !== undefined && isOwnedBy(live, rule.owner));
  return { ...options, rule: { ...rule, managers } };
}

function isSameVersion(now: UnstructuredObject | undefined, before: UnstructuredObject | undefined): boolean {
  return now?.metadata.resourceVersion === before?.metadata.resourceVersion;
}

const writes: ReadonlySet<ApplyDecision["type"]> = new Set(["create", "replace", "patch", "apply"]);

/** Whether the object is now as the next write would leave it: what was only added for the creation is taken off by that one. */
function isWhole({ recorded, manifest }: ApplyRule, { type }: ApplyDecision): boolean {
  return writes.has(type) && (recorded?.resource.uid !== undefined || manifest.annotateBeforeCreate === undefined);
}

/** `from`: the former owner, if the write takes the object over. Throws LandscaperError (TargetOwnedByOther). */
async function decide(
  options: ApplyObjectOptions,
  live: UnstructuredObject | undefined,
): Promise<{ readonly decision: ApplyDecision; readonly from?: { readonly owner: string | undefined } | undefined }> {
  const { takeOver } = options;
  const rule = { ...options.rule, kept: await keptFieldsOf(options, live) };
  const decision = decideApply({ ...rule, live });
  if (decision.type !== "refuse") {
    const isUnmarked = writes.has(decision.type) && isUnmarkedBefore(rule, live);
    return { decision, from: isUnmarked ? { owner: undefined } : undefined };
  }
  const { owner } = decision;
  const judgement = await judgeTakeOver(owner, rule.owner, takeOver);
  if (judgement.type !== "take") {
    const key = owner.by === "label" ? rule.owner.key : annotations.ownedBy;
    const object = formatResource(referenceTo(rule.manifest.manifest));
    throw ownedByOther({
      message: `${object} belongs to deploy item ${owner.owner}, by its ${owner.by} ${key}`,
      decision: judgement,
      hint: "remove the object from the other item, or set adopt: true in the entry of the manifest to take it over",
    });
  }
  const taking = decideApply({ ...rule, live, takesOver: true });
  return { decision: taking, from: writes.has(taking.type) ? { owner: owner.owner } : undefined };
}

async function keptFieldsOf(
  options: ApplyObjectOptions,
  live: UnstructuredObject | undefined,
): Promise<readonly KeptField[]> {
  if (live === undefined || options.rule.manifest.policy === "ignore") return [];
  return await findKeptFields(keptFieldsOptions(options, live));
}

function keptFieldsOptions({ cluster, rule, signal }: ApplyObjectOptions, live: UnstructuredObject): KeptFieldsOptions {
  const { manifest, strategy, ignore } = rule;
  const replaces = strategy === "update" || strategy === "patch";
  return { cluster, manifest: manifest.manifest, live, ignore, replaces, signal };
}

/** Whether the object was there before the item, and has no owner. */
function isUnmarkedBefore(
  { recorded, owner }: ApplyObjectOptions["rule"],
  live: UnstructuredObject | undefined,
): boolean {
  return live !== undefined && recorded?.resource.uid === undefined && judgeOwnership(live, owner).type === "unmarked";
}

async function find({ cluster, type, rule, signal }: ApplyObjectOptions): Promise<UnstructuredObject | undefined> {
  const reference = referenceTo(rule.manifest.manifest);
  try {
    return await cluster.client.find(type, keyOfReference(reference, type.namespaced), { signal });
  } catch (error) {
    throw await resourceFailure(error, { verb: "get", reference });
  }
}

async function perform(
  options: ApplyObjectOptions,
  decision: ApplyDecision,
  live: UnstructuredObject | undefined,
): Promise<ApplyObjectResult> {
  const { cluster, type, signal } = options;
  const { client } = cluster;
  switch (decision.type) {
    case "ignore":
      return { live: undefined, isManaged: false };
    case "release":
      return { live, isManaged: false };
    case "refuse":
      throw new TypeError("an object is not refused before it was looked at");
    case "apply": {
      const managers = options.rule.managers ?? { manager: "landscaper", former: [] };
      const marks = ownerAnnotationKeys.map((key) => `.metadata.annotations.${key}`);
      const ownFields = [`.metadata.labels.${options.rule.owner.key}`, ...marks];
      const isUnseen = live === undefined && decision.isNew !== true;
      const call = { client, type, managers, ownFields, isUnseen, force: options.force === true, signal };
      return { live: await applyOnServer(call, decision), isManaged: true };
    }
    case "adopt":
    case "unchanged":
      return { live, isManaged: true };
    case "create":
    case "replace":
      return { live: await writeObject(decision, { client, type, live, options: { signal } }), isManaged: true };
    case "patch": {
      const write = { type: "patch", patch: { type: "merge", body: decision.body } } as const;
      return { live: await writeObject(write, { client, type, live, options: { signal } }), isManaged: true };
    }
  }
}

const verbs: Readonly<Record<ApplyDecision["type"], FailedAction["verb"]>> = {
  create: "create",
  replace: "update",
  patch: "patch",
  apply: "apply",
  refuse: "get",
  ignore: "get",
  release: "get",
  adopt: "get",
  unchanged: "get",
};

async function failureOf(
  error: unknown,
  { cluster, rule }: ApplyObjectOptions,
  decision: ApplyDecision,
): Promise<unknown> {
  const { manifest } = rule.manifest;
  const [verb, secrets] = [verbs[decision.type], cluster.sentSecrets];
  return await resourceFailure(error, { verb, reference: referenceTo(manifest), sent: manifest, secrets });
}
