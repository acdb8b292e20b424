import { type DeployItem, finalizer, type KubeObject, resources } from "@landscaper/api";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import { createNamespace } from "../measure/create-namespace.ts";
import { removeObjects } from "./remove-objects.ts";
import { createHelmSpecs } from "../waiting/waiting-items.ts";
import { openWriteConnection } from "../measure/write-connection.ts";
import { hostileTenants, type HostileLoad, type HostilePlace } from "./hostile-load.ts";
import type { ServedKind, ServedPlace } from "./served.ts";

/** Longer than a side of the bench: no item finishes earlier. */
const timeout = "3m";
const inFlight = 16;

/** One item of a hostile tenant. */
export interface HostileItem {
  readonly type: "manifest" | "helm";
  /** Where its Target is, or for an index its chart. */
  readonly server: ServedKind;
}

/** Of each hundred items: dead targets most of all, and some whose answers never end. */
const shares: readonly (readonly [HostileItem["type"], ServedKind, number])[] = [
  ["manifest", "black hole", 24],
  ["manifest", "silent", 20],
  ["manifest", "dripping", 20],
  ["manifest", "refused", 10],
  ["manifest", "flooding", 1],
  ["manifest", "bomb", 1],
  ["helm", "black hole", 7],
  ["helm", "silent", 5],
  ["helm", "dripping", 4],
  ["helm", "refused", 3],
  ["helm", "flooding", 1],
  ["helm", "bomb", 1],
  ["helm", "endless index", 1],
  ["helm", "bomb index", 1],
  ["helm", "large index", 1],
];

/** So many items, in these shares, spread evenly. Pure. */
export function planHostileItems(count: number): HostileItem[] {
  const hundred = shares.flatMap(([type, server, share]) => Array.from({ length: share }, () => ({ type, server })));
  // 37 and 100 have no common divisor: a few items are of many kinds, too.
  return Array.from({ length: count }, (_, index) => hundred[(index * 37) % hundred.length]).filter(
    (item) => item !== undefined,
  );
}

const isRepository = (kind: ServedKind): boolean => kind.endsWith("index");
const targetOf = (index: number): string => `target-${index}`;

function createTargetObject(namespace: string, index: number, kubeconfig: string): KubeObject & { spec: unknown } {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name: targetOf(index), namespace },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
  };
}

const manifestConfig = {
  apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
  manifests: [
    {
      policy: "manage",
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map", namespace: "default" } },
    },
  ],
};

const chartConfig = (url: string, name: string) => ({
  apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
  name,
  namespace: "default",
  // Each its own repository: what was read for one item is of no use to another.
  chart: {
    helmChartRepo: { helmChartRepoUrl: `${url}/${name}`, helmChartName: "chart-3", helmChartVersion: "9.9.9" },
  },
});

interface PlacedItem extends HostileItem {
  readonly namespace: string;
  readonly name: string;
  readonly place: ServedPlace;
  /** Index of its Target among `places`. */
  readonly target: number;
}

async function createItemMaker(): Promise<(item: PlacedItem) => DeployItem> {
  const inlineChart = await createHelmSpecs();
  return ({ namespace, name, type, server, place, target }) => {
    const chart = isRepository(server)
      ? chartConfig(place.url, name)
      : inlineChart({ namespace: "default", name }).config;
    const config = type === "manifest" ? manifestConfig : chart;
    return {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployItem",
      metadata: { name, namespace, finalizers: [finalizer] },
      spec: {
        type: `landscaper.gardener.cloud/${type === "manifest" ? "kubernetes-manifest" : "helm"}`,
        target: { name: targetOf(target), namespace },
        timeout,
        config: { ...config, kind: "ProviderConfiguration" },
      },
    };
  };
}

function placeItems(count: number, places: readonly ServedPlace[], namespaces: readonly string[]): PlacedItem[] {
  const next = new Map<ServedKind, number>();
  return planHostileItems(count).map((item, index) => {
    const fitting = places.flatMap(({ kind }, at) => (kind === item.server ? [at] : []));
    const turn = next.get(item.server) ?? 0;
    next.set(item.server, turn + 1);
    const target = fitting[turn % fitting.length] ?? 0;
    const place = places[target];
    if (place === undefined) throw new Error(`no server of the kind "${item.server}" runs`);
    return { ...item, namespace: namespaces[index % namespaces.length] ?? "", name: `dead-${index}`, place, target };
  });
}

/** Items whose targets are dead, or answer without an end. They are there, and have their jobs, when this resolves. */
export async function startDeadTargets(
  { environment, prefix }: HostilePlace,
  { count, places }: { readonly count: number; readonly places: readonly ServedPlace[] },
): Promise<HostileLoad> {
  const { client, hub } = environment;
  const { url, ca, token } = hub;
  const connection = openWriteConnection({ url, ca, token, inFlight });
  const namespaces = Array.from({ length: hostileTenants }, (_, index) => `${prefix}-${index}`);
  const targets = namespaces.flatMap((namespace) =>
    places.map(({ kubeconfig }, index) => createTargetObject(namespace, index, kubeconfig)),
  );
  const items = placeItems(count, places, namespaces);
  const makeItem = await createItemMaker();
  try {
    for (const namespace of namespaces) await createNamespace(environment, namespace);
    await runInParallel(targets.length, inFlight, async (index) => {
      const target = targets[index];
      if (target !== undefined) await connection.create(resources.target, target as never); // of the kind's type
    });
    await runInParallel(items.length, inFlight, async (index) => {
      const item = items[index];
      if (item === undefined) return;
      const created = await connection.create(resources.deployItem, makeItem(item));
      const status = {
        observedGeneration: 0,
        jobID: `job-${index}`,
        jobIDGenerationTime: `${new Date().toISOString().slice(0, 19)}Z`,
      };
      await connection.update(resources.deployItem, { ...created, status }, "status");
    });
  } finally {
    await connection.close();
  }
  return {
    describe: () => `${items.length} items on ${places.length} servers`,
    async stop() {
      for (const namespace of namespaces) await removeObjects(client, namespace, inFlight);
    },
  };
}
