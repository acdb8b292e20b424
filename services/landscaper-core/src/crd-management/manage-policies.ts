import {
  annotations,
  generateHubPolicies,
  generateEnvironmentPolicies,
  kubeResources,
  LandscaperError,
  type AdmissionObject,
  type BoundSettings,
  type ResourceType,
} from "@landscaper/api";
import { isForbidden, listServed, retryLostRaces, type Client, type Logger } from "@landscaper/controller-runtime";
import { isSameJson } from "../is-same-json.ts";
import { nameOf } from "../object-reading.ts";
import { maxAttempts, type CrdSettings } from "./manage-crds.ts";

export interface PolicyManagement {
  readonly client: Client;
  readonly log: Logger;
  readonly settings: CrdSettings;
  /** Whether there are accounts of Environments, which some of the policies bound. */
  readonly managesDeployers: boolean;
  readonly boundSettings: BoundSettings;
}

const version = "admissionregistration.k8s.io/v1";
const typeOf = ({ kind }: AdmissionObject): ResourceType<AdmissionObject> =>
  kind.endsWith("Binding") ? kubeResources.validatingAdmissionPolicyBinding : kubeResources.validatingAdmissionPolicy;

/**
 * Applies the admission policies of this release, as `crdManagement` says of CRDs. Warns if policies that bound the accounts of Environments differ
 * (docs/reference/deployer-management.md#bounds). Writes nothing that exists already. Throws a LandscaperError. AdmissionPoliciesMissing: the core manages
 * deployers, and the API server does not serve policies, or a policy is missing and `deployCrd` is false. AdmissionPoliciesFailed: the API server refuses a write.
 */
export async function managePolicies(management: PolicyManagement, signal: AbortSignal): Promise<void> {
  const { client, log, settings, managesDeployers, boundSettings } = management;
  if (!settings.deployCrd && !managesDeployers) return;
  const served = await listServed(client, version, signal);
  const { plural } = kubeResources.validatingAdmissionPolicy;
  if (!served.includes(plural)) {
    if (managesDeployers) throw notServed();
    log.warn({ version }, `the landscaper cluster does not serve ${plural}: it takes objects that are not valid`);
    return;
  }
  const bounds = managesDeployers ? generateEnvironmentPolicies(boundSettings) : [];
  const objects = settings.deployCrd ? [...generateHubPolicies(), ...bounds] : bounds;
  const outcomes = await Promise.all(objects.map((wanted) => applyPolicy(management, wanted, signal)));
  const named = (outcome: Outcome): readonly string[] => [
    ...new Set(bounds.filter((wanted) => outcomes[objects.indexOf(wanted)] === outcome).map(nameOf)),
  ];
  if (named("missing").length > 0) throw unbounded(`the landscaper cluster does not have ${list(named("missing"))}`);
  if (named("weak").length > 0) throw unbounded(`the landscaper cluster has weaker versions of ${list(named("weak"))}`);
  if (named("later").length > 0) {
    log.warn({ policies: named("later") }, "the admission policies of a later release stay in force");
  }
  if (named("other").length === 0) return;
  log.warn(
    { policies: named("other") },
    "the accounts of Environments are not bounded as this release does: apply crds/admission-policies.yaml, or set crdManagement.deployCrd and forceUpdate to true",
  );
}

const [anyNamespace] = generateEnvironmentPolicies({ management: undefined, core: "", hubEnvironments: [] });
/** Of a policy for accounts of all namespaces, which tests share. */
const accountsOfAllNamespaces =
  anyNamespace === undefined || "policyName" in anyNamespace.spec ? undefined : anyNamespace.spec.matchConditions;

/** `later`: the object of a later release stays. `other`: the object differs, and the settings do not permit the write. `weak`: the same, and the object does not apply to all accounts and writes, or does not refuse them. `missing`: the object does not exist, and the settings do not permit its creation. */
type Outcome = "wanted" | "later" | "other" | "weak" | "missing";

/** 0 without the annotation, and for objects of users. */
function revisionOf({ metadata }: AdmissionObject): number {
  const revision = Number(metadata.annotations?.[annotations.policyRevision] ?? 0);
  return Number.isInteger(revision) ? revision : 0;
}

/** Applies the object, if the settings permit it and there is none of a later release. */
async function applyPolicy(
  { client, log, settings }: PolicyManagement,
  wanted: AdmissionObject,
  signal: AbortSignal,
): Promise<Outcome> {
  const type = typeOf(wanted);
  const { deployCrd, forceUpdate } = settings;
  try {
    return await retryLostRaces(maxAttempts, async () => {
      const live = await client.find(type, { name: nameOf(wanted) }, { signal });
      if (live !== undefined && revisionOf(live) > revisionOf(wanted)) return "later";
      const isSame = live !== undefined && isSameJson(live.spec, wanted.spec);
      if (isSame && (!deployCrd || !forceUpdate || revisionOf(live) === revisionOf(wanted))) return "wanted";
      if (live === undefined && !deployCrd) return "missing";
      if (live !== undefined && (!deployCrd || !forceUpdate)) return isBounding(live, wanted) ? "other" : "weak";
      if (live === undefined) await client.create(type, wanted, { signal });
      else await client.update(type, { ...wanted, metadata: mergeMetadata(live, wanted) }, { signal });
      const change = live === undefined ? "create" : "update";
      log.info({ kind: wanted.kind, policy: nameOf(wanted), change }, "an admission policy was applied");
      return "wanted";
    });
  } catch (error) {
    throw isForbidden(error) ? forbidden(error) : error;
  }
}

/**
 * Whether the object applies to the wanted requests and accounts, and refuses what its rules do not permit. Accounts of these names in all namespaces include the
 * wanted ones.
 */
function isBounding({ spec: live }: AdmissionObject, { spec: wanted }: AdmissionObject): boolean {
  if ("policyName" in wanted) {
    const actions = "policyName" in live ? live.validationActions : [];
    return (
      isSameJson({ ...live, validationActions: [] }, { ...wanted, validationActions: [] }) && actions.includes("Deny")
    );
  }
  if ("policyName" in live) return false;
  const accounts = [wanted.matchConditions, accountsOfAllNamespaces];
  return (
    live.failurePolicy === "Fail" &&
    isSameJson(live.matchConstraints, wanted.matchConstraints) &&
    accounts.some((conditions) => isSameJson(live.matchConditions, conditions))
  );
}

function mergeMetadata({ metadata }: AdmissionObject, wanted: AdmissionObject): AdmissionObject["metadata"] {
  const { annotations: marks } = wanted.metadata;
  return marks === undefined ? metadata : { ...metadata, annotations: { ...metadata.annotations, ...marks } };
}

function notServed(): LandscaperError {
  return new LandscaperError({
    message: `the landscaper cluster does not serve ValidatingAdmissionPolicies (${version}): nothing would bound the accounts of Environments`,
    reason: "AdmissionPoliciesMissing",
    hint: "upgrade the landscaper cluster to Kubernetes 1.30 or newer, or set deployerManagement.disable to true",
  });
}

function list(policies: readonly string[]): string {
  return `the admission policies ${policies.join(", ")}`;
}

function unbounded(problem: string): LandscaperError {
  return new LandscaperError({
    message: `${problem}: nothing would bound the accounts of Environments`,
    reason: "AdmissionPoliciesMissing",
    hint: "apply crds/admission-policies.yaml with the namespaces of your core and of deployer management, or set crdManagement.deployCrd and forceUpdate to true, or deployerManagement.disable to true",
  });
}

function forbidden(error: Error): LandscaperError {
  return new LandscaperError({
    message: `the admission policies cannot be applied: ${error.message}`,
    reason: "AdmissionPoliciesFailed",
    hint: "grant get, create and update for validatingadmissionpolicies and validatingadmissionpolicybindings, or apply crds/ yourself and set crdManagement.deployCrd to false",
  });
}
