import type { ConfigMap, DataObject, DeployItem, Execution, Installation, KubeObject } from "@landscaper/api";
import { annotations, isJobOpen, kubeResources, labels, resources } from "@landscaper/api";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

type JobObject = Installation | Execution | DeployItem;

/** Name by what an object is for; generated names hold UIDs and differ between runs. */
function logicalNames(objects: readonly JobObject[]): Map<string, string> {
  const names = new Map<string, string>();
  const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? "";
  for (const object of objects) {
    const template = object.metadata.annotations?.[annotations.subinstallationName];
    if (template !== undefined) {
      names.set(nameOf(object), `${object.metadata.labels?.[labels.encompassedBy] ?? ""}/${template}`);
    }
  }
  for (const object of objects) {
    const item = object.metadata.labels?.[labels.managedName];
    const execution = object.metadata.labels?.[labels.managedBy] ?? "";
    if (item !== undefined) names.set(nameOf(object), `${names.get(execution) ?? execution}/${item}`);
  }
  return names;
}

/** Replaces generated names, the longest first: an item's name begins with its Installation's. */
function createRenamer(names: Map<string, string>, { name, targetNamespace }: TestNamespace): (text: string) => string {
  const replacements = [...names, [targetNamespace, "TARGET"] as const, [name, "HUB"] as const].toSorted(
    ([a], [b]) => b.length - a.length,
  );
  return (text) => replacements.reduce((soFar, [from, to]) => soFar.replaceAll(from, to), text);
}

function describeJobObject(object: JobObject): string {
  const { status } = object;
  const job = status === undefined ? "no job" : isJobOpen(status) ? "open" : "finished";
  const deleting = object.metadata.deletionTimestamp === undefined ? "" : " deleting";
  const error = status?.lastError === undefined ? "" : ` error ${status.lastError.reason}`;
  return `${object.kind} ${object.metadata.name ?? ""}: ${status?.phase ?? "no phase"}, ${job}${error}${deleting}`;
}

/** Identity by the data labels: context, key, source and direction. */
function describeDataObject(object: KubeObject, value: unknown): string {
  const found = object.metadata.labels ?? {};
  const { dataContext, dataKey, dataSource, dataSourceType, dataIndex, dataTargetMapKey } = labels;
  const keys = [dataContext, dataKey, dataSource, dataSourceType, dataIndex, dataTargetMapKey];
  const identity = keys.map((key) => found[key] ?? "-").join(" ");
  const isNamed = found[dataContext] === undefined && found[dataSource] === undefined;
  const owners = (object.metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind}/${name}`).join(",");
  const name = isNamed && owners === "" ? (object.metadata.name ?? "") : identity;
  return `${object.kind} ${name} owned by ${owners}: ${JSON.stringify(value)}`;
}

/** The entries in the order of their keys, as a real API server has them. */
function describeEntries(data: Readonly<Record<string, string>> | undefined): string {
  const byKey = Object.entries(data ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(data && Object.fromEntries(byKey));
}

/**
 * Everything that a job leaves in the hub's and the target's namespace, one line per object, without what may differ between two
 * good runs (generated names, times, IDs), and `more` lines. Equal snapshots: the job ended as it would have, and each object exists once.
 */
export async function takeSnapshot(scope: TestNamespace, more: readonly string[] = []): Promise<string[]> {
  const { targetClient } = scope.environment;
  const jobs: JobObject[] = [
    ...(await scope.list(resources.installation)),
    ...(await scope.list(resources.execution)),
    ...(await scope.list(resources.deployItem)),
  ];
  const data: DataObject[] = await scope.list(resources.dataObject);
  const targets = await scope.list(resources.target);
  const secrets = await scope.list(kubeResources.secret);
  const configMaps: ConfigMap[] = (
    await targetClient.list(kubeResources.configMap, { namespace: scope.targetNamespace })
  ).items;
  const rename = createRenamer(logicalNames(jobs), scope);
  const lines = [
    ...more,
    ...jobs.map(describeJobObject),
    ...data.map((object) => describeDataObject(object, object.data)),
    ...targets.map((target) => describeDataObject(target, target.spec.type)),
    ...secrets.map((secret) => `Secret ${secret.metadata.name ?? ""}: ${describeEntries(secret.data)}`),
    ...configMaps
      .filter(({ metadata }) => metadata.name !== "kube-root-ca.crt")
      .map((map) => `ConfigMap ${map.metadata.name ?? ""}: ${describeEntries(map.data)}`),
  ];
  return lines.map(rename).toSorted();
}
