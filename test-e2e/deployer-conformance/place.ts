import { randomBytes } from "node:crypto";
import type { Api } from "../src/kits/plain-api.ts";
import { apiVersion, isConflict, removeNamespace } from "../src/kits/plain-api.ts";
import { runEvery } from "../src/kits/run-every.ts";
import { createEffects, type Effects } from "./effects.ts";
import type { ItemHistory } from "./item-history.ts";
import { recordItems } from "./item-history.ts";
import type { Landscape } from "./landscape.ts";
import { createLandscaper, type Landscaper } from "./landscaper.ts";
import type { Profile } from "./profile.ts";
import type { Scene } from "./scene.ts";
import { createWaits, type Waits } from "./waits.ts";

/** A namespace of one scenario, in which the kit plays the Landscaper and watches the deployer. */
export interface Place extends Scene, Landscaper, Waits, Omit<Effects, "stop"> {
  readonly profile: Profile;
  /** Another namespace of the same scenario. */
  another(): Promise<Place>;
}

/** What was seen in one namespace, for the rules. */
export interface Trace {
  readonly scenario: string;
  readonly namespace: string;
  readonly history: ItemHistory;
  /** Kubernetes events of the namespace, as JSON. */
  readonly events: string;
}

export interface OpenPlace extends Place {
  /** Removes the namespaces, and returns what was seen in them. */
  close(): Promise<readonly Trace[]>;
}

async function createNamespaces(landscape: Landscape, namespace: string): Promise<Api> {
  const { hub, target, isOneCluster } = landscape;
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } } as const;
  const api = hub.namespace(namespace);
  for (const cluster of isOneCluster ? [hub] : [hub, target]) {
    await cluster.namespace(namespace).create(object);
    landscape.noteNamespace(cluster, namespace);
  }
  try {
    await api.create({ apiVersion, kind: "Context", metadata: { name: "default" } });
  } catch (error) {
    // A Landscaper that runs there makes one in each namespace by itself.
    if (!isConflict(error)) throw error;
  }
  return api;
}

async function removeNamespaces({ hub, target, isOneCluster }: Landscape, namespace: string): Promise<void> {
  await runEvery([
    async () => removeNamespace(hub.namespace(namespace), namespace, ["DeployItem"]),
    ...(isOneCluster ? [] : [async () => removeNamespace(target.namespace(namespace), namespace, [])]),
  ]);
}

/** Opens a namespace for the scenario of this ID. */
export async function openPlace(landscape: Landscape, scenario: string): Promise<OpenPlace> {
  const namespace = `conformance-${scenario.toLowerCase()}-${randomBytes(3).toString("hex")}`;
  try {
    const api = await createNamespaces(landscape, namespace);
    const history = await recordItems(landscape.hub.client, namespace);
    return createPlace({ landscape, namespace, api, history }, scenario);
  } catch (error) {
    await removeNamespaces(landscape, namespace);
    throw error;
  }
}

function createPlace(scene: Scene, scenario: string): OpenPlace {
  const { landscape, namespace, history } = scene;
  const { stop: stopEffects, ...effects } = createEffects(scene);
  const waits = createWaits(scene);
  const others: OpenPlace[] = [];

  async function trace(): Promise<Trace> {
    await Promise.all(history.names().map(async (name) => waits.writes(name)));
    const path = `/api/v1/namespaces/${namespace}/events`;
    const events = JSON.stringify(await landscape.hub.client.request({ method: "GET", path }));
    return { scenario, namespace, history, events };
  }

  return {
    ...scene,
    ...createLandscaper(scene),
    ...waits,
    ...effects,
    profile: landscape.profile,
    async another() {
      const other = await openPlace(landscape, scenario);
      others.push(other);
      return other;
    },
    async close() {
      const traces: Trace[] = [];
      // Whatever has failed: nothing of the scenario is to stay.
      await runEvery([
        ...others.map((other) => async () => traces.push(...(await other.close()))),
        async () => traces.push(await trace()),
        stopEffects,
        async () => history.stop(),
        async () => removeNamespaces(landscape, namespace),
      ]);
      return traces;
    },
  };
}
