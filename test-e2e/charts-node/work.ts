// A landscape that is at work while something happens to the services, and what must hold of it afterwards.
import { kubeResources, resources, type UnstructuredObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { describeObject, waitFor } from "@landscaper/testkit";
import { findJobFaults, findTwins } from "../ha/audit-jobs.ts";
import { countFinished } from "../ha/landscape.ts";
import { helmItem, itemsInstallation, manifestItem, mockItem } from "../src/inline-installation.ts";
import { recordHistory } from "../src/object-history.ts";
import { runInParallel } from "../src/run-in-parallel.ts";
import type { TestNamespace } from "../src/test-namespace.ts";
import type { ChartCluster } from "./chart-cluster.ts";

export interface WorkOptions {
  /** Prefix of the namespaces. */
  readonly name: string;
  /** Root Installations, each with one item: of the manifest, helm and mock deployer in turn. */
  readonly count: number;
  /** Annotations of the Target. */
  readonly target?: Readonly<Record<string, string>>;
}

const waitMs = 300_000;
const atOnce = 8;
/** Longer than anything that is done to the services takes. */
const timeout = "30m";
/** A ConfigMap of the target namespace; items of the manifest and helm deployers are ready when it says so. */
const gate = "gate";
const isOpen = "now";

function gateCheck(namespace: string): Readonly<Record<string, unknown>> {
  const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name: gate, namespace }];
  const requirements = [{ jsonPath: ".data.open", operator: "==", values: [{ value: isOpen }] }];
  return { readinessChecks: { custom: [{ name: gate, resourceSelector, requirements }] } };
}

/** ConfigMap that a root of the manifest or helm deployer makes. */
const mapName = (index: number): string => `map-${index}`;

async function rootOf(index: number, namespace: string): Promise<UnstructuredObject> {
  const config = gateCheck(namespace);
  const name = mapName(index);
  const chartFiles = {
    "templates/map.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { by: helm }\n`,
  };
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { by: "manifest" } };
  const items = [
    () => manifestItem({ manifests: [manifest], config, item: { timeout } }),
    async () => {
      const chart = await rawChart(chartFiles);
      return helmItem({ namespace, config: { ...config, chart, name: `release-${index}` }, item: { timeout } });
    },
    () => mockItem("item", {}, { timeout }),
  ];
  const item = await items[index % items.length]?.();
  return itemsInstallation(item === undefined ? [] : [item], { name: `root-${index}` });
}

/**
 * Installs a landscape: half of it waits in the middle of its jobs and the other half is still being created while `disturb` runs. Then all of it
 * succeeds: each job was done once, nothing was lost, made twice, applied twice or released twice. Throws with what was wrong.
 */
export async function disturbWork(
  cluster: ChartCluster,
  { name, count, target }: WorkOptions,
  disturb: (scope: TestNamespace) => Promise<void>,
): Promise<void> {
  const { client } = cluster.environment;
  const scope = await cluster.environment.namespace(name);
  const { targetNamespace } = scope;
  const installations = await recordHistory(client, resources.installation, scope.name);
  const executions = await recordHistory(client, resources.execution, scope.name);
  const deployItems = await recordHistory(client, resources.deployItem, scope.name);
  const maps = await recordHistory(client, kubeResources.configMap, targetNamespace);
  const until = async (what: string, isMet: () => boolean): Promise<void> => {
    const failed = () => [...installations.current.values()].find(({ status }) => status?.phase === "Failed");
    await waitFor(() => isMet() || failed() !== undefined, { timeoutMs: waitMs }).catch(() => undefined);
    if (isMet() && failed() === undefined) return;
    const items = [...deployItems.current.values()].filter(({ status }) => status?.phase !== "Succeeded").slice(0, 3);
    const said = [failed(), ...items].map(describeObject).join("\n");
    throw new Error(
      `${what}: not yet; ${finished()} of ${count} have finished\n${said}\n${await cluster.describeLogs()}`,
    );
  };
  const finished = (): number => countFinished(installations.current.values(), new Set());
  const create = async (from: number, to: number): Promise<void> =>
    await runInParallel(to - from, atOnce, async (at) => {
      await scope.apply(await rootOf(from + at, targetNamespace));
    });

  const first = Math.ceil(count / 2);
  const wanted = scope.target("target");
  await scope.apply({ ...wanted, metadata: { ...wanted.metadata, annotations: target } } as UnstructuredObject);
  await create(0, first);
  const made = (): number => [...maps.current.keys()].filter((map) => map.startsWith("map-")).length;
  const mapsOf = (roots: number): number => roots - Math.floor(roots / 3);
  await until("all that waits in the middle of its job", () => made() >= mapsOf(first) - 1);
  if (finished() > Math.ceil(first / 3)) throw new Error(`${finished()} have finished before the gate was opened`);
  const creating = create(first, count);
  creating.catch(() => undefined);
  await disturb(scope);
  await creating;
  const metadata = { name: gate, namespace: targetNamespace };
  await client.create(kubeResources.configMap, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    data: { open: isOpen },
  });
  await until("all roots", () => finished() === count);

  const histories = [installations, executions, deployItems];
  const objects = histories.flatMap(({ current }) => [...current.values()]);
  const faults = [
    ...histories.flatMap(({ seen }) => findJobFaults(seen, 1)),
    ...findTwins(objects),
    ...histories.filter(({ current }) => current.size !== count).map(({ current }) => `${current.size} of ${count}`),
    ...maps.seen
      .filter(({ type, object }) => object.metadata.name?.startsWith("map-") === true && type !== "ADDED")
      .map(({ type, object }) => `${object.metadata.name}: ${type}`),
    ...(made() === roots(count).length ? [] : [`${made()} ConfigMaps`]),
    ...(await findReleaseFaults(cluster, targetNamespace, count)),
  ];
  for (const history of [...histories, maps]) await history.stop();
  if (faults.length > 0) throw new Error(`${faults.join("\n")}\n${await cluster.describeLogs()}`);
}

/** Indexes of the roots that make a ConfigMap. */
const roots = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) => index % 3 !== 2);

/** Each release has its first revision, and no other one. */
async function findReleaseFaults(cluster: ChartCluster, namespace: string, count: number): Promise<string[]> {
  const options = { namespace, labelSelector: "owner=helm" };
  const found = (await cluster.environment.client.list(kubeResources.secret, options)).items.map(
    ({ metadata }) => metadata.name ?? "",
  );
  const wanted = roots(count)
    .filter((index) => index % 3 === 1)
    .map((index) => `sh.helm.release.v1.release-${index}.v1`);
  const faults = found.filter((each) => !wanted.includes(each)).map((each) => `${each} is one too many`);
  return [...faults, ...wanted.filter((each) => !found.includes(each)).map((each) => `${each} is missing`)];
}
