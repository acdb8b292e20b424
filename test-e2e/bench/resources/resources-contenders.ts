import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UnstructuredObject, UpdateStrategy } from "@landscaper/api";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import {
  applyManifests,
  combineFailures,
  confirmInventory,
  createTargetCluster,
  planInventory,
  type ManagedResource,
} from "@landscaper/resources";
import type { Environment } from "../../src/services/environment.ts";
import { createKubectl, findKubectl } from "../../src/clients/kubectl.ts";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import { readChildrenCpuSeconds } from "../measure/process-usage.ts";
import { measuredType } from "./resources-objects.ts";
import { openWriteConnection } from "../measure/write-connection.ts";
import { timeOf } from "../measure/time-of.ts";

/** Who brings objects to a cluster. */
export interface Contender {
  readonly name: string;
  /** Knows nothing of objects that are there. */
  readonly isForNewObjects?: boolean;
  /** Makes itself ready for what is not measured, in a namespace that is new to it. */
  prepare?(namespace: string, objects: readonly UnstructuredObject[]): Promise<void>;
  /** Brings these objects to the cluster, new or again; resolves to the milliseconds that it took. */
  apply(namespace: string, objects: readonly UnstructuredObject[]): Promise<number>;
  /** Processor time that it has used so far, in seconds. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export type ComparedStrategy = Extract<UpdateStrategy, "update" | "apply">;

const ownCpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** The whole command, from a JSON file. */
export function createKubectlContender({ targetKubeconfig }: Environment, folder: string): Contender {
  const program = findKubectl();
  if (program === undefined) throw new Error("there is no kubectl; test-e2e/cluster/build.sh builds one");
  const kubectl = createKubectl(program, targetKubeconfig);
  const file = join(folder, "objects.json");
  return {
    name: "kubectl",
    async prepare(_namespace, objects) {
      writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    },
    apply: () =>
      timeOf(async () => {
        const { status, stderr } = await kubectl.run(["apply", "--server-side", "-f", file]);
        if (status !== 0) throw new Error(`kubectl ended with ${status}: ${stderr.slice(0, 1000)}`);
      }),
    cpuSeconds: readChildrenCpuSeconds,
    stop: async () => kubectl.dispose(),
  };
}

/** The library alone, in this process. */
export function createLibraryContender({ targetKubeconfig }: Environment, strategy: ComparedStrategy): Contender {
  const client = createClient({
    connection: connectionFromKubeconfig(targetKubeconfig),
    userAgent: "bench",
    maxConnections: 100,
  });
  const cluster = createTargetCluster(client);
  const inventories = new Map<string, readonly ManagedResource[]>();
  const manager = "landscaper/bench";
  return {
    name: `${strategy}, library`,
    apply: (namespace, objects) =>
      timeOf(async () => {
        const manifests = objects.map((manifest) => ({ policy: "manage" as const, manifest }));
        const fieldManager = strategy === "apply" ? manager : undefined;
        const inventory = planInventory(inventories.get(namespace) ?? [], manifests, fieldManager);
        const { applied, failures, waitingFor } = await applyManifests({
          cluster,
          manifests,
          inventory,
          strategy,
          serverSide: { managers: { manager, former: ["bench"] }, force: false },
          owner: { key: "bench.example.org/owner", value: namespace },
          signal: AbortSignal.timeout(300_000),
        });
        if (failures.length > 0) throw combineFailures(failures, objects.length);
        if (waitingFor.length > 0) throw new Error(`waits for ${waitingFor.join(", ")}`);
        inventories.set(namespace, confirmInventory(inventory, applied));
      }),
    cpuSeconds: ownCpuSeconds,
    stop: () => client.close(),
  };
}

/** The same writes for new objects with as little code around as one can have: what the API server can do. */
export function createRawContender({ hub }: Environment, strategy: ComparedStrategy): Contender {
  const inFlight = 100;
  const connection = openWriteConnection({ url: hub.url, ca: hub.ca, token: hub.token, inFlight });
  return {
    name: `${strategy}, raw client`,
    isForNewObjects: true,
    apply: (_namespace, objects) =>
      timeOf(async () => {
        await runInParallel(objects.length, inFlight, async (index) => {
          const object = objects[index];
          if (object === undefined) return;
          if (strategy === "apply") await connection.apply(measuredType(object), object, "landscaper/bench");
          else await connection.create(measuredType(object), object);
        });
      }),
    cpuSeconds: ownCpuSeconds,
    stop: () => connection.close(),
  };
}
