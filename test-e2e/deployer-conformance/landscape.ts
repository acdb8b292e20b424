import { parse, stringify } from "yaml";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import type { Cluster } from "../src/kits/plain-api.ts";
import { connect, waitUntilRemoved } from "../src/kits/plain-api.ts";
import { createRecognizer, createSentinel } from "../src/kits/sentinel.ts";
import type { Profile } from "./profile.ts";
import { createTargetObjects, type TargetObjects } from "./target-objects.ts";

export interface LandscapeOptions {
  readonly profile: Profile;
  /** The cluster of the DeployItems. */
  readonly kubeconfig: string;
  /** For Targets; by default that of the DeployItems. Tokens and certificates stand in it, not files. */
  readonly targetKubeconfig?: string | undefined;
  /** Ends and starts the deployer's process. */
  readonly restart?: (() => Promise<void>) | undefined;
}

/** The clusters, and what all scenarios share. */
export interface Landscape extends LandscapeOptions {
  readonly hub: Cluster;
  readonly target: Cluster;
  readonly targetObjects: TargetObjects;
  /** Whether both are one, so that resource versions tell what came first. */
  readonly isOneCluster: boolean;
  /** For Targets, with a user whose password is the sentinel. */
  readonly targetKubeconfig: string;
  readonly sentinel: string;
  /** What of the text gives a secret value away. */
  readonly findSecret: (text: string) => string | undefined;
  /** Notes that the kit has created a namespace in one of the clusters. */
  noteNamespace(cluster: Cluster, name: string): void;
  /** Waits until all namespaces of the kit have gone. Returns those that are still there after a minute, each with what keeps it. */
  findLeftNamespaces(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Kubeconfig {
  readonly users?: readonly { readonly name: string; readonly user?: Readonly<Record<string, unknown>> }[];
}

/** Adds a user that nobody uses. */
function withSentinel(kubeconfig: string, sentinel: string): string {
  // The client has read it before: it is a kubeconfig.
  const fields = parse(kubeconfig) as Kubeconfig;
  const user = { name: "conformance", user: { username: "conformance", password: sentinel } };
  return stringify({ ...fields, users: [...(fields.users ?? []), user] });
}

/** The credentials of a kubeconfig; of a key its middle, because all keys begin alike. */
function secretsOf(kubeconfig: string): string[] {
  const { users = [] } = parse(kubeconfig) as Kubeconfig;
  return users.flatMap(({ user = {} }) => {
    const { token, password, "client-key-data": key } = user;
    const middle = typeof key === "string" ? key.slice(key.length / 2, key.length / 2 + 40) : undefined;
    // The head of a token says how it is signed, as all do.
    const body = typeof token === "string" ? token.slice(token.lastIndexOf(".") + 1) : undefined;
    return [body, password, middle].filter((value) => typeof value === "string" && value.length >= 10);
  }) as string[];
}

export function openLandscape(options: LandscapeOptions): Landscape {
  const { kubeconfig, targetKubeconfig = kubeconfig } = options;
  const hub = connect(kubeconfig);
  const target = targetKubeconfig === kubeconfig ? hub : connect(targetKubeconfig);
  const sentinel = createSentinel();
  const recognizers = [sentinel.findIn, ...secretsOf(targetKubeconfig).map((secret) => createRecognizer(secret))];
  const serverOf = (text: string): string => connectionFromKubeconfig(text, { allowFiles: true }).server;
  const created: { readonly cluster: Cluster; readonly name: string }[] = [];
  return {
    ...options,
    hub,
    target,
    targetObjects: createTargetObjects(target.client),
    isOneCluster: serverOf(kubeconfig) === serverOf(targetKubeconfig),
    targetKubeconfig: withSentinel(targetKubeconfig, sentinel.word),
    // Not `value`: profiles insert it without escaping.
    sentinel: sentinel.word,
    findSecret: (text) => recognizers.map((find) => find(text)).find((found) => found !== undefined),
    noteNamespace: (cluster, name) => void created.push({ cluster, name }),
    async findLeftNamespaces() {
      const left = [...new Set([hub, target])].map(async (cluster) => {
        const names = created.filter((each) => each.cluster === cluster).map(({ name }) => name);
        return waitUntilRemoved(cluster.namespace("default"), names);
      });
      return (await Promise.all(left)).flat();
    },
    close: async () => {
      await hub.close();
      if (target !== hub) await target.close();
    },
  };
}
