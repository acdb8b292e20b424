import type { UnstructuredObject } from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import { currentRevision, isPending, parseManifest, type ReleaseRecord } from "@landscaper/helm-release";
import { isJsonObject } from "@landscaper/resources";
import { UsageError } from "../usage-error.ts";

/** A Helm release that contains the core, as its deployed revision describes it. */
export interface HubRelease {
  readonly record: ReleaseRecord;
  /** Name and version of its chart, such as "landscaper-stack 0.1.0". */
  readonly chart: string;
  /** Deployments of the core. */
  readonly cores: readonly UnstructuredObject[];
  /** Deployments that get other names or namespaces with the move: all but the agent. */
  readonly moving: readonly UnstructuredObject[];
  readonly hasAgent: boolean;
  /** Values that keep parts of the release in the old namespace, with their paths. */
  readonly keptValues: readonly KeptValue[];
  readonly objects: readonly UnstructuredObject[];
}

interface KeptValue {
  readonly path: readonly string[];
  readonly value: unknown;
}

const stackChart = "landscaper-stack";

/** Reads the deployed revision. Throws UsageError if it is not a hub in the namespace of deployer management. */
export async function readHubRelease(
  history: readonly ReleaseRecord[],
  { release, from }: { readonly release: string; readonly from: string },
): Promise<HubRelease> {
  const record = currentRevision(history);
  const newest = history.at(-1);
  if (record === undefined || newest === undefined)
    throw new UsageError(`there is no Helm release ${release} in namespace ${from}`);
  const where = `release ${from}/${release}`;
  if (isPending(newest) || newest.info.status === "uninstalling") {
    throw new UsageError(
      `${where}: revision ${newest.version} is ${newest.info.status}. Finish the helm command, or roll back.`,
    );
  }
  const damaged = history.find(({ unreadable }) => unreadable !== undefined);
  if (damaged !== undefined) {
    throw new UsageError(
      `${where}: revision ${damaged.version} cannot be read: ${damaged.unreadable ?? ""}. Delete its record.`,
    );
  }
  const objects = await parseManifest(record.manifest);
  const deployments = objects.filter(({ kind }) => kind === "Deployment");
  const cores = deployments.filter((object) => chartOf(object) === "landscaper");
  if (cores.length === 0) throw new UsageError(`${where}: expected a Deployment of the chart landscaper, found none`);
  demandSharedNamespace(objects, where, from);
  const hasAgent = deployments.some((object) => chartOf(object) === "landscaper-agent");
  const { name = "", version = "" } = chartMetadata(record);
  if (hasAgent && name !== stackChart) {
    throw new UsageError(`${where}: expected the chart ${stackChart} for a core with an agent, found ${name}`);
  }
  const moving = deployments.filter((object) => chartOf(object) !== "landscaper-agent");
  const keptValues = name === stackChart ? findKeptValues(objects, { from, hasAgent }) : [];
  return { record, chart: `${name} ${version}`, cores, moving, hasAgent, keptValues, objects };
}

/**
 * The agent stays in the namespace of deployer management, and programs of the container deployer where their state is. The values say it, because
 * `helm upgrade --reuse-values` does not read the defaults of the new chart, and its release namespace is another one.
 */
function findKeptValues(
  objects: readonly UnstructuredObject[],
  { from, hasAgent }: { readonly from: string; readonly hasAgent: boolean },
): KeptValue[] {
  const programs = configurationOf(objects, "container-deployer")["namespace"];
  return [
    ...(hasAgent ? [{ path: ["landscaper-agent", "agent", "inLandscaperNamespace"], value: true }] : []),
    ...(programs === from ? [{ path: ["container-deployer", "deployer", "namespace"], value: from }] : []),
  ];
}

/** The record for the new namespace. */
export function movedRecord(record: ReleaseRecord, to: string, keptValues: readonly KeptValue[]): ReleaseRecord {
  const config = keptValues.reduce((values, { path, value }) => setDeep(values, path, value), record.config);
  return { ...record, namespace: to, config };
}

function setDeep(
  values: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const [step = "", ...rest] = path;
  const below = values[step];
  const inner: unknown = rest.length === 0 ? value : setDeep(isJsonObject(below) ? below : {}, rest, value);
  return { ...values, [step]: inner };
}

/** Name of the chart that has made an object, from the label helm.sh/chart: NAME-VERSION. */
function chartOf({ metadata }: UnstructuredObject): string {
  return (metadata.labels?.["helm.sh/chart"] ?? "").replace(/-\d.*$/, "");
}

function chartMetadata({ chart }: ReleaseRecord): { readonly name?: string; readonly version?: string } {
  const { metadata } = chart;
  if (!isJsonObject(metadata)) return {};
  return { name: String(metadata["name"]), version: String(metadata["version"]) };
}

/** config.yaml of a chart of the release; empty if the release does not contain it. */
function configurationOf(objects: readonly UnstructuredObject[], chart: string): Readonly<Record<string, unknown>> {
  const maps = objects.filter((object) => object.kind === "ConfigMap" && chartOf(object) === chart);
  const texts = maps.map((map): unknown => Reflect.get(Object(map["data"]), "config.yaml"));
  const text = texts.find((each) => typeof each === "string");
  const configuration: unknown = fromYaml(typeof text === "string" ? text : "");
  return isJsonObject(configuration) ? configuration : {};
}

function demandSharedNamespace(objects: readonly UnstructuredObject[], where: string, from: string): void {
  const management = configurationOf(objects, "landscaper")["deployerManagement"];
  const namespace: unknown = Reflect.get(Object(management), "namespace") ?? "ls-system";
  if (namespace === from) return;
  throw new UsageError(
    `${where}: the namespace of deployer management is ${String(namespace)}: the hub has two namespaces already`,
  );
}
