// Named attacks: each changes one thing of a permitted object.
import { agentFinalizer, annotations, finalizer, leaseHolderAnnotation, type KubeObject } from "@landscaper/api";
import { createSealingKeys } from "@landscaper/deployer";
import { setAnnotation, setFields, setMetadata, mergeField, type Edit, type EditPools } from "./random-writes.ts";

const sealingKey = createSealingKeys().publicKey;

export interface Attack {
  /** Name of the attack in the matrix. */
  readonly name: string;
  readonly edit: Edit;
}

const unchanged: Edit = (object) => object;

/** Returns attacks on the metadata, which every kind has. */
function metadataAttacks({ owners }: Pick<EditPools, "owners">, other: string): readonly Attack[] {
  const [owner] = owners;
  const owning = (more: object, name: string): Attack => ({
    name,
    edit: setMetadata({ ownerReferences: owner === undefined ? [] : [{ ...owner, ...more }] }),
  });
  return [
    { name: "a label of Helm", edit: setMetadata({ labels: { owner: "helm" } }) },
    { name: "a label of Argo CD", edit: setMetadata({ labels: { "argocd.argoproj.io/secret-type": "cluster" } }) },
    { name: "no owner", edit: setMetadata({ ownerReferences: [] }) },
    owning({ controller: true }, "a controller reference"),
    owning({ blockOwnerDeletion: true }, "an owner that waits for the object"),
    owning({ kind: "Execution" }, "an owner of another kind"),
    owning({ apiVersion: "landscaper.gardener.cloud/v99" }, "an owner of an unknown version"),
    { name: "a finalizer of another tool", edit: setMetadata({ finalizers: ["example.org/keep"] }) },
    { name: "the finalizer of Landscaper", edit: setMetadata({ finalizers: [finalizer] }) },
    { name: "the mark of another Environment", edit: setAnnotation(annotations.environments, other) },
    { name: "the mark of all Environments", edit: setAnnotation(annotations.environments, "*") },
    { name: "no mark", edit: setAnnotation(annotations.environments, undefined) },
    { name: "an operation", edit: setAnnotation(annotations.operation, "reconcile") },
    { name: "an annotation of another tool", edit: setAnnotation("example.org/replicate-to", "*") },
  ];
}

/** Attacks on the fields of a kind. */
const fieldAttacks: Readonly<Record<string, readonly Attack[]>> = {
  Secret: [
    { name: "the type of Helm's releases", edit: setFields({ type: "helm.sh/release.v1" }) },
    { name: "the type of tokens", edit: setFields({ type: "kubernetes.io/service-account-token" }) },
    { name: "immutable", edit: setFields({ immutable: true }) },
  ],
  Lease: [
    { name: "a duration of 63 years", edit: mergeField("spec", { leaseDurationSeconds: 2_000_000_000 }) },
    { name: "another holder", edit: mergeField("spec", { holderIdentity: "landscaper-core" }) },
    { name: "the end of another holder", edit: setAnnotation(leaseHolderAnnotation, "landscaper-core/pod") },
  ],
  Event: [
    { name: "about a Pod", edit: mergeField("regarding", { apiVersion: "v1", kind: "Pod" }) },
    {
      name: "about an unknown version",
      edit: mergeField("regarding", { apiVersion: "landscaper.gardener.cloud/v99" }),
    },
    { name: "as the core", edit: setFields({ reportingController: "landscaper-core" }) },
    { name: "in another name", edit: setFields({ reportingInstance: "landscaper-core" }) },
  ],
  DeployItem: [
    { name: "another spec", edit: mergeField("spec", { timeout: "1m" }) },
    {
      name: "the claim of another deployer",
      edit: mergeField("status", {
        observedGeneration: 0,
        deployer: { identity: "landscaper-core/pod", name: "d", version: "v1" },
      }),
    },
  ],
  Environment: [
    { name: "all namespaces", edit: mergeField("spec", { namespaces: ["*"] }) },
    {
      name: "the namespaces of the hub",
      edit: mergeField("spec", { namespaces: ["team-a", "ls-system", "kube-system"] }),
    },
    { name: "all Targets", edit: mergeField("spec", { targetSelectors: [] }) },
    {
      name: "Targets without an Environment",
      edit: mergeField("spec", {
        targetSelectors: [{ annotations: [{ key: annotations.environment, operator: "!" }] }],
      }),
    },
    { name: "fewer namespaces", edit: mergeField("spec", { namespaces: ["team-a"] }) },
    { name: "suspended", edit: mergeField("spec", { suspend: true }) },
    { name: "another sealing key", edit: mergeField("spec", { sealingKey }) },
    {
      name: "another address of the landscaper cluster",
      edit: mergeField("spec", {
        landscaperClusterConfig: { host: "https://attacker.example", apiPath: "", caData: "" },
      }),
    },
    { name: "no finalizer of the core", edit: setMetadata({ finalizers: [agentFinalizer] }) },
  ],
};

export interface AttackPools extends Pick<EditPools, "owners"> {
  /** Identity with which the account may claim DeployItems. */
  readonly identity: string;
}

/** Returns the attacks on an object of this kind. The first one changes nothing. */
export function attacksOn(kind: string, { owners, identity }: AttackPools, other: string): readonly Attack[] {
  const claim = { deployer: { identity, name: "d", version: "v1" }, phase: "Succeeded", observedGeneration: 0 };
  const forged = kind === "DeployItem" ? [{ name: "a forged result", edit: mergeField("status", claim) }] : [];
  return [
    { name: "nothing foreign", edit: unchanged },
    ...metadataAttacks({ owners }, other),
    ...(fieldAttacks[kind] ?? []),
    ...forged,
  ];
}

/** Returns an object of any kind, for rights that these tests do not cover by name. */
export function plainObject(
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
  namespace: string,
): KubeObject {
  return { apiVersion, kind, metadata: { namespace, name: "attack" } };
}
