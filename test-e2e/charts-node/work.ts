// A landscape that is at work while something happens to the services, and what must hold of it afterwards.
import { kubeResources, resources, type UnstructuredObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { describeObject, waitFor } from "@landscaper/testkit";
import { countFinished } from "../ha/landscape.ts";
import { gateCheck, openGate } from "../src/items/gate.ts";
import { helmItem, itemsInstallation, manifestItem, mockItem } from "../src/installations/inline-installation.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import { runInParallel } from "../src/kits/run-in-parallel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { countMaps, findWorkFaults, mapName } from "./audit-work.ts";
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
  await until("all that waits in the middle of its job", () => made() >= countMaps(first) - 1);
  if (finished() > Math.ceil(first / 3)) throw new Error(`${finished()} have finished before the gate was opened`);
  const creating = create(first, count);
  creating.catch(() => undefined);
  await disturb(scope);
  await creating;
  await openGate(client, targetNamespace);
  await until("all roots", () => finished() === count);

  const objects = [installations, executions, deployItems];
  const records = await listReleaseRecords(cluster, targetNamespace);
  const faults = findWorkFaults({ count, objects, maps, records });
  for (const history of [...objects, maps]) await history.stop();
  if (faults.length > 0) throw new Error(`${faults.join("\n")}\n${await cluster.describeLogs()}`);
}

async function listReleaseRecords({ environment }: ChartCluster, namespace: string): Promise<string[]> {
  const options = { namespace, labelSelector: "owner=helm" };
  return (await environment.client.list(kubeResources.secret, options)).items.map(
    ({ metadata }) => metadata.name ?? "",
  );
}
