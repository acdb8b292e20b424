import { randomBytes } from "node:crypto";
import type { Api } from "../src/plain-api.ts";
import { apiVersion, isConflict, removeNamespace } from "../src/plain-api.ts";
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

async function createNamespaces({ hub, target, isOneCluster }: Landscape, namespace: string): Promise<Api> {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } } as const;
  const api = hub.namespace(namespace);
  await api.create(object);
  if (!isOneCluster) await target.namespace(namespace).create(object);
  try {
    await api.create({ apiVersion, kind: "Context", metadata: { name: "default" } });
  } catch (error) {
    // A Landscaper that runs there makes one in each namespace by itself.
    if (!isConflict(error)) throw error;
  }
  return api;
}

/** Opens a namespace for the scenario of this ID. */
export async function openPlace(landscape: Landscape, scenario: string): Promise<OpenPlace> {
  const { hub, target, profile, isOneCluster } = landscape;
  const namespace = `conformance-${scenario.toLowerCase()}-${randomBytes(3).toString("hex")}`;
  const api = await createNamespaces(landscape, namespace);
  const history = await recordItems(hub.client, namespace);
  const scene: Scene = { landscape, namespace, api, history };
  const { stop: stopEffects, ...effects } = createEffects(scene);
  const waits = createWaits(scene);
  const others: OpenPlace[] = [];
  return {
    ...scene,
    ...createLandscaper(scene),
    ...waits,
    ...effects,
    profile,
    async another() {
      const other = await openPlace(landscape, scenario);
      others.push(other);
      return other;
    },
    async close() {
      const traces = (await Promise.all(others.map(async (other) => other.close()))).flat();
      await Promise.all(history.names().map(async (name) => waits.writes(name)));
      await stopEffects();
      await history.stop();
      const path = `/api/v1/namespaces/${namespace}/events`;
      const events = JSON.stringify(await hub.client.request({ method: "GET", path }));
      await removeNamespace(api, namespace, ["DeployItem"]);
      if (!isOneCluster) await target.namespace(namespace).delete("Namespace", namespace);
      return [...traces, { scenario, namespace, history, events }];
    },
  };
}
