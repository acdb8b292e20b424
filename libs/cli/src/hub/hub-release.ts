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
  readonly objects: readonly UnstructuredObject[];
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
  return { record, chart: `${name} ${version}`, cores, moving, hasAgent, objects };
}

/**
 * The record for the new namespace. The agent of a stack gets the value that keeps it where it is: `helm upgrade --reuse-values` does not read
 * the defaults of the new chart.
 */
export function movedRecord(record: ReleaseRecord, to: string, hasAgent: boolean): ReleaseRecord {
  const config = hasAgent
    ? setDeep(record.config, ["landscaper-agent", "agent", "inLandscaperNamespace"], true)
    : record.config;
  return { ...record, namespace: to, config };
}

function setDeep(values: Readonly<Record<string, unknown>>, path: readonly string[], value: unknown) {
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

function demandSharedNamespace(objects: readonly UnstructuredObject[], where: string, from: string): void {
  const map = objects.find((object) => object.kind === "ConfigMap" && chartOf(object) === "landscaper");
  const text: unknown = Reflect.get(Object(map?.["data"]), "config.yaml");
  const configuration: unknown = fromYaml(typeof text === "string" ? text : "");
  const management: unknown = Reflect.get(Object(configuration), "deployerManagement");
  const namespace: unknown = Reflect.get(Object(management), "namespace") ?? "ls-system";
  if (namespace === from) return;
  throw new UsageError(
    `${where}: the namespace of deployer management is ${String(namespace)}: the hub has two namespaces already`,
  );
}
