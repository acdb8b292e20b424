// What a job leaves, without what may differ between two good runs.
import {
  annotations,
  isJobOpen,
  labels,
  resources,
  type DeployItem,
  type Execution,
  type Installation,
  type KubeObject,
} from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";

type JobObject = Installation | Execution | DeployItem;

function nameOf(object: KubeObject): string {
  const { metadata } = object;
  const template = metadata.annotations?.[annotations.subinstallationName];
  const item = metadata.labels?.[labels.managedName];
  const owner = metadata.ownerReferences
    ?.find(({ controller }) => controller === true)
    ?.name.replace(/-[a-z2-7]{8}$/, "");
  return [owner, template ?? item ?? metadata.name?.replace(/-[a-z2-7]{8}$/, "")].filter(Boolean).join("/");
}

function describeJob(object: JobObject): string {
  const { status } = object;
  const job = status?.jobID === undefined ? "no job" : isJobOpen(status) ? "open" : "finished";
  const finalizers = object.metadata.finalizers?.join() ?? "";
  return `${object.kind} ${nameOf(object)}: ${status?.phase ?? "no phase"} ${job} ${status?.lastError?.reason ?? ""} ${finalizers}`;
}

function describeData(object: KubeObject, value: unknown): string {
  const { labels: found = {}, ownerReferences = [] } = object.metadata;
  const keys = [labels.dataContext, labels.dataKey, labels.dataSource, labels.dataSourceType, labels.dataTargetMapKey];
  const identity = keys.map((key) => (found[key] ?? "-").replace(/-[a-z2-7]{8}$/, "")).join(" ");
  const owners = ownerReferences.map(({ kind }) => kind).join();
  const name = ownerReferences.length === 0 ? (object.metadata.name ?? "") : identity;
  return `${object.kind} ${name} owned by ${owners}: ${JSON.stringify(value)}`;
}

/** One sorted line per object: equal snapshots mean that the jobs ended alike and each object exists once. */
export async function takeSnapshot(namespace: TestNamespace): Promise<readonly string[]> {
  const jobs: readonly JobObject[] = [
    ...(await namespace.list(resources.installation)),
    ...(await namespace.list(resources.execution)),
    ...(await namespace.list(resources.deployItem)),
  ];
  const dataObjects = await namespace.list(resources.dataObject);
  const targets = await namespace.list(resources.target);
  return [
    ...jobs.map(describeJob),
    ...dataObjects.map((object) => describeData(object, object.data)),
    ...targets.map((object) => describeData(object, object.spec)),
  ].toSorted();
}
