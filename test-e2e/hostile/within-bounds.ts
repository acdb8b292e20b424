// Writes that docs/reference/deployer-management.md#what-environment-accounts-write permits to an Environment account. Derived from that table and not from the
// policies, so that a test can compare both.
import {
  agentFinalizer,
  agentLeaseAnnotations,
  annotations,
  finalizer,
  labels,
  leaseGroupLabel,
  leaseHolderAnnotation,
  leaseTypeLabel,
  planSecretName,
  type KubeObject,
} from "@landscaper/api";
import { isDeepStrictEqual } from "node:util";
import { readField } from "./read-field.ts";

export interface BoundedAccount {
  readonly type: "deployer" | "agent";
  readonly environment: string;
  /** Registration of the deployer; an agent has none, and the field is ignored. */
  readonly registration: string;
  /** Namespace of deployer management. */
  readonly namespace: string;
}

export interface BoundedWrite {
  readonly resource: "secrets" | "deployitems" | "deployitems/status" | "leases" | "events" | "environments";
  /** Undefined: the write creates the object. */
  readonly before: KubeObject | undefined;
  /** Undefined: the write deletes the object. */
  readonly after: KubeObject | undefined;
  /** Namespaces in which Environment accounts write no Secrets. */
  readonly closedNamespaces: readonly string[];
}

const version = "landscaper.gardener.cloud/v1alpha1";
const textOf = (object: unknown, ...path: readonly string[]): string => {
  const value = readField(object, ...path);
  return typeof value === "string" ? value : "";
};
const marksOf = (object: KubeObject): readonly string[] =>
  (object.metadata.annotations?.[annotations.environments] ?? "").split(",");
const sizeOf = (value: object | undefined): number => Object.keys(value ?? {}).length;

function belongsTo(object: KubeObject, { environment }: BoundedAccount): boolean {
  const marks = marksOf(object);
  return marks.includes(environment) || isDeepStrictEqual(marks, ["*"]);
}

function identityOf({ type, environment, registration }: BoundedAccount): string {
  return type === "agent" ? `agent-helm-deployer-${environment}` : `${registration}-${environment}`;
}

/** Whether the table permits the write. Pure. */
export function isWithinBounds(account: BoundedAccount, write: BoundedWrite): boolean {
  const { before, after } = write;
  switch (write.resource) {
    case "secrets":
      return isSecretPermitted(account, write);
    case "deployitems":
      return before !== undefined && after !== undefined && isItemPermitted(account, before, after);
    case "deployitems/status":
      return before !== undefined && after !== undefined && isStatusPermitted(account, before, after);
    case "leases":
      return (
        namesOwnHolder(account, after) &&
        [before, after].every((lease) => lease === undefined || isOwnLease(account, lease)) &&
        isShort(after) &&
        hasLeaseMetadata(after)
      );
    case "environments":
      return before !== undefined && after !== undefined && isEnvironmentPermitted(account, before, after);
    case "events":
      return [before, after].every((event) => event === undefined || isOwnEvent(account, event)) && isPlain(after);
  }
}

function isSecretPermitted(account: BoundedAccount, { before, after, closedNamespaces }: BoundedWrite): boolean {
  const secrets = [before, after].filter((secret) => secret !== undefined);
  const isOpen = secrets.every(({ metadata }) => !closedNamespaces.includes(metadata.namespace ?? ""));
  const [first, second] = secrets.map(({ metadata }) => metadata.ownerReferences?.[0]?.name);
  const keepsOwner = secrets.length < 2 || first === second;
  const [mark = "", nextMark = mark] = secrets.map((secret) => marksOf(secret).join());
  return (
    isOpen &&
    keepsOwner &&
    mark === nextMark &&
    secrets.every((secret) => belongsTo(secret, account) && isItemSecret(secret))
  );
}

function isItemSecret(secret: KubeObject): boolean {
  const { name = "", ownerReferences = [], labels: ownLabels, annotations: marks, finalizers = [] } = secret.metadata;
  const [owner] = ownerReferences;
  if (owner === undefined || ownerReferences.length > 1) return false;
  const isWeak = owner.controller !== true && owner.blockOwnerDeletion !== true;
  const isItem = owner.kind === "DeployItem" && owner.apiVersion === version;
  const isNamed = [`${owner.name}-export`, planSecretName(owner.name)].includes(name);
  const hasOnlyItsLabel = Object.keys(ownLabels ?? {}).every((key) => key === labels.planOf);
  const permitted: readonly string[] = [annotations.environments, annotations.sensitiveExports];
  const hasOnlyItsMarks = Object.keys(marks ?? {}).every((key) => permitted.includes(key));
  const isOpaque = readField(secret, "type") === "Opaque" && readField(secret, "immutable") !== true;
  return isWeak && isItem && isNamed && hasOnlyItsLabel && hasOnlyItsMarks && finalizers.length === 0 && isOpaque;
}

function isOwnItem(account: BoundedAccount, item: KubeObject): boolean {
  const isOfHost =
    textOf(item, "spec", "target", "name") === account.environment && item.metadata.namespace === account.namespace;
  return belongsTo(item, account) && (account.type === "deployer" || isOfHost);
}

function isItemPermitted(account: BoundedAccount, before: KubeObject, after: KubeObject): boolean {
  const isSame = (...path: readonly string[]): boolean =>
    isDeepStrictEqual(readField(before, ...path) ?? {}, readField(after, ...path) ?? {});
  const owners = [before, after].map(({ metadata }) => metadata.ownerReferences ?? []);
  return (
    isOwnItem(account, before) &&
    !isHeldByOther(account, before) &&
    isSame("spec") &&
    isSame("metadata", "labels") &&
    isDeepStrictEqual(owners[0], owners[1]) &&
    keepsAnnotations(before, after) &&
    keepsFinalizers(before, after)
  );
}

function keepsAnnotations({ metadata: { annotations: old = {} } }: KubeObject, { metadata }: KubeObject): boolean {
  const { annotations: current = {} } = metadata;
  const { [annotations.operation]: operation, ...others } = old;
  return isDeepStrictEqual(current, old) || (operation !== undefined && isDeepStrictEqual(current, others));
}

function keepsFinalizers(before: KubeObject, after: KubeObject): boolean {
  const [old = [], current = []] = [before, after].map(({ metadata }) => metadata.finalizers ?? []);
  const added = current.filter((one) => !old.includes(one));
  const removed = old.filter((one) => !current.includes(one));
  const forbidden = before.metadata.deletionTimestamp === undefined ? removed : added;
  return forbidden.length === 0 && [...added, ...removed].every((one) => one === finalizer);
}

function isStatusPermitted(account: BoundedAccount, before: KubeObject, after: KubeObject): boolean {
  const [old = "", current = ""] = [before, after].map((item) => textOf(item, "status", "deployer", "identity"));
  const isOwnClaim = current.split("/")[0] === identityOf(account);
  const isClaimed = isOwnClaim || (old === "" && current === "");
  return isOwnItem(account, before) && isClaimed && !isHeldByOther(account, before);
}

/** Whether a deployer outside of the Environment works on the item. With the mark of all Environments, only the own identity is known to be of it. */
function isHeldByOther(account: BoundedAccount, item: KubeObject): boolean {
  const isOpen = textOf(item, "status", "jobID") !== textOf(item, "status", "jobIDFinished");
  const isAtWork = isOpen && !["", "Succeeded", "Failed", "DeleteFailed"].includes(textOf(item, "status", "phase"));
  const [holder = ""] = textOf(item, "status", "deployer", "identity").split("/");
  if (!isAtWork || holder === "" || holder === identityOf(account)) return false;
  const holders = marksOf(item).filter((mark) => holder.endsWith(`-${mark}`));
  const [longest] = holders.toSorted((a, b) => b.length - a.length);
  return longest !== account.environment;
}

function isOwnLease(account: BoundedAccount, lease: KubeObject): boolean {
  const { name = "", annotations: marks } = lease.metadata;
  const holder = textOf(lease, "spec", "holderIdentity");
  const owner = holder === "" ? (marks?.[leaseHolderAnnotation] ?? "") : holder;
  const isNamed =
    account.type === "agent" ? name === `landscaper-agent-${account.environment}` : /^.+\.[0-9a-f]{8}$/.test(name);
  return isNamed && owner.startsWith(`${identityOf(account)}/`);
}

/** Whether the annotation with the holder names no other holder. */
function namesOwnHolder(account: BoundedAccount, lease: KubeObject | undefined): boolean {
  const last = lease?.metadata.annotations?.[leaseHolderAnnotation] ?? "";
  return last === "" || last === textOf(lease, "spec", "holderIdentity") || last.startsWith(`${identityOf(account)}/`);
}

function hasLeaseMetadata(lease: KubeObject | undefined): boolean {
  const { labels: ownLabels = {}, annotations: marks = {}, ownerReferences, finalizers } = lease?.metadata ?? {};
  const permittedLabels = [leaseTypeLabel, leaseGroupLabel, labels.deployerEnvironment];
  const permittedMarks: readonly string[] = [leaseHolderAnnotation, ...Object.values(agentLeaseAnnotations)];
  return (
    Object.keys(ownLabels).every((key) => permittedLabels.includes(key)) &&
    Object.keys(marks).every((key) => permittedMarks.includes(key)) &&
    sizeOf(ownerReferences) + sizeOf(finalizers) === 0
  );
}

function isShort(lease: KubeObject | undefined): boolean {
  const seconds = readField(lease, "spec", "leaseDurationSeconds");
  return typeof seconds !== "number" || seconds <= 600;
}

function isOwnEvent(account: BoundedAccount, event: KubeObject): boolean {
  return textOf(event, "reportingInstance") === identityOf(account);
}

function isPlain(event: KubeObject | undefined): boolean {
  if (event === undefined) return true;
  const { labels: ownLabels, annotations: marks, ownerReferences, finalizers, namespace } = event.metadata;
  const extras = [ownLabels, marks, ownerReferences, finalizers].reduce((sum, one) => sum + sizeOf(one), 0);
  const regarding = (field: string): string => textOf(event, "regarding", field);
  const isOfItem = ["DeployItem", "Target"].includes(regarding("kind")) && regarding("apiVersion") === version;
  const isController = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(
    textOf(event, "reportingController"),
  );
  const isHere = regarding("namespace") === namespace && readField(event, "related") === undefined;
  return extras === 0 && isOfItem && isController && isHere;
}

/** An agent changes its own Environment: it adds neither namespaces nor selectors of Targets of others. */
function isEnvironmentPermitted(account: BoundedAccount, before: KubeObject, after: KubeObject): boolean {
  const same = (field: "labels" | "annotations"): boolean =>
    isDeepStrictEqual(before.metadata[field] ?? {}, after.metadata[field] ?? {});
  const [old, current] = [before, after].map(({ metadata }) =>
    (metadata.finalizers ?? []).filter((one) => one !== agentFinalizer),
  );
  return (
    account.type === "agent" &&
    before.metadata.name === account.environment &&
    same("labels") &&
    same("annotations") &&
    isDeepStrictEqual(before.metadata.ownerReferences ?? [], after.metadata.ownerReferences ?? []) &&
    isDeepStrictEqual(old, current) &&
    keepsNamespaces(before, after) &&
    keepsSelectors(account, before, after) &&
    (readField(before, "spec", "suspend") === true) === (readField(after, "spec", "suspend") === true) &&
    isOwnHost(account, after)
  );
}

function listOf(object: KubeObject, field: string): readonly unknown[] | undefined {
  const value = readField(object, "spec", field);
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

function keepsNamespaces(before: KubeObject, after: KubeObject): boolean {
  const [old, current] = [before, after].map((one) => listOf(one, "namespaces"));
  if (isDeepStrictEqual(old, current)) return true;
  if (current === undefined || current.includes("*")) return false;
  return old === undefined || old.includes("*") || current.every((one) => old.includes(one));
}

function keepsSelectors({ environment }: BoundedAccount, before: KubeObject, after: KubeObject): boolean {
  const [old = [], current = []] = [before, after].map((one) => listOf(one, "targetSelectors"));
  if (isDeepStrictEqual(old, current)) return true;
  return current.length > 0 && current.length <= 16 && current.every((one) => isOwnSelector(one, environment));
}

function isOwnSelector(selector: unknown, environment: string): boolean {
  const listIn = (field: string): readonly unknown[] => {
    const value = readField(selector, field);
    return Array.isArray(value) ? (value as readonly unknown[]) : [];
  };
  const targets = listIn("targets");
  const isNamed = targets.length > 0 && targets.every((one) => readField(one, "name") === environment);
  const isAnnotated = listIn("annotations").some((one) => {
    const [key, operator, values] = ["key", "operator", "values"].map((field) => readField(one, field));
    return (
      key === annotations.environment &&
      ["=", "==", "in"].includes(String(operator)) &&
      isDeepStrictEqual(values, [environment])
    );
  });
  return isNamed || isAnnotated;
}

/** The core makes a Target of these fields. */
function isOwnHost({ environment }: BoundedAccount, after: KubeObject): boolean {
  const host = readField(after, "spec", "hostTarget");
  const labelsOfHost = readField(host, "labels");
  const config = readField(host, "config");
  const secretRef = readField(config, "kubeconfig", "secretRef");
  return (
    readField(host, "type") === "landscaper.gardener.cloud/kubernetes-cluster" &&
    sizeOf(Object(labelsOfHost ?? {}) as object) === 0 &&
    isDeepStrictEqual(readField(host, "annotations"), { [annotations.environment]: environment }) &&
    isDeepStrictEqual(Object.keys(Object(config) as object), ["kubeconfig"]) &&
    isDeepStrictEqual(Object.keys(Object(readField(config, "kubeconfig")) as object), ["secretRef"]) &&
    readField(host, "secretRef") === undefined &&
    readField(secretRef, "name") === `${environment}-target-access` &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(textOf(after, "spec", "namespace"))
  );
}

/** Whether the table permits a token of a ServiceAccount in a namespace with these annotations. */
export function isTokenWithinBounds(
  { environment }: BoundedAccount,
  marks: Readonly<Record<string, string>> | undefined,
): boolean {
  const names = (marks?.[annotations.environments] ?? "").split(",");
  return names.includes(environment) || isDeepStrictEqual(names, ["*"]);
}
