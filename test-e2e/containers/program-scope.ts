// Deploy items that run scripts on a real node, without an Installation: the test hands them their jobs, as the Landscaper would.
import {
  annotations,
  deployerApiVersion,
  kubeResources,
  type DeployItem,
  type DeployItemSpec,
  type Pod,
} from "@landscaper/api";
import { containerLabels } from "@landscaper/container-deployer-lib";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import { waitFor } from "@landscaper/testkit";
import type { Environment } from "../src/services/environment.ts";
import { hostNamespace, toolsImage } from "./container-environment.ts";

/** Long enough for a loaded machine: only failures wait so long. */
const timeoutMs = 120_000;

/** For scripts: waits until the test lets the Pod go on. */
export const untilLetGo = "until [ -e /data/ls/shared/go ]; do sleep 0.1; done";

export interface ProgramOptions {
  /** Further fields of the ProviderConfiguration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Of a job. Default: 3m. */
  readonly timeout?: string;
  /** Name of a Target. Default: none. */
  readonly target?: string;
}

/** A namespace of the hub whose items run programs. */
export interface ProgramScope extends DeployerScope {
  specOf(script: string, options?: ProgramOptions): DeployItemSpec;
  /** Creates an item whose first job runs the script with busybox. */
  start(name: string, script: string, options?: ProgramOptions): Promise<void>;
  /** `start`, until the job has ended. */
  run(name: string, script: string, options?: ProgramOptions): Promise<DeployItem>;
  /** Values of the export Secret; undefined where the item names none. */
  exportsOf(name: string): Promise<unknown>;
  pods(name: string): Promise<readonly Pod[]>;
  /** A Pod of the item whose program runs, other than the one that is known. */
  untilRunning(name: string, known?: Pod): Promise<Pod>;
  letGo(pod: Pod): void;
  /** As `kubectl delete pod --force`. */
  deleteByForce(pod: Pod): Promise<void>;
  /** How many Pods of the item have got a node. */
  countStarts(name: string): Promise<number>;
}

export async function createProgramScope(environment: Environment, prefix: string): Promise<ProgramScope> {
  const { client, targetKubeconfig, hub } = environment;
  const { name: namespace } = await environment.namespace(prefix);
  const items = createDeployerScope({ hubClient: client, targetKubeconfig, namespace, timeoutMs });
  const scope: ProgramScope = {
    ...items,
    specOf: (script, { config, target, timeout = "3m" } = {}) => ({
      type: "landscaper.gardener.cloud/container",
      timeout,
      ...(target === undefined ? {} : { target: { name: target, namespace } }),
      config: {
        apiVersion: deployerApiVersion("container"),
        kind: "ProviderConfiguration",
        image: toolsImage,
        command: ["sh", "-euc", script],
        ...config,
      },
    }),
    async start(name, script, options) {
      // As the core says of a configuration that derives from no secret.
      const known = { [annotations.sensitiveConfig]: "[]" };
      await items.create({ name, spec: scope.specOf(script, options), annotations: known });
    },
    async run(name, script, options) {
      await scope.start(name, script, options);
      return await items.waitForEnd(name);
    },
    async exportsOf(name) {
      const ref = (await items.get(name)).status?.exportRef?.name;
      if (ref === undefined) return undefined;
      const secret = await client.get(kubeResources.secret, { namespace, name: ref });
      return JSON.parse(Buffer.from(secret.data?.["config"] ?? "", "base64").toString());
    },
    async pods(name) {
      const labelSelector = `${containerLabels.itemNamespace}=${namespace},${containerLabels.itemName}=${name}`;
      return (await client.list(kubeResources.pod, { namespace: hostNamespace, labelSelector })).items;
    },
    untilRunning: async (name, known) =>
      await waitFor(
        async () => {
          const found = (await scope.pods(name)).find(isRunning);
          if (found !== undefined && found.metadata.uid !== known?.metadata.uid) return found;
          throw new Error(`no program of ${name} runs: ${JSON.stringify((await items.get(name)).status)}`);
        },
        { timeoutMs },
      ),
    letGo({ metadata }) {
      const volume = `/var/lib/kubelet/pods/${metadata.uid}/volumes/kubernetes.io~empty-dir/shared-volume`;
      if (hub.node === undefined) throw new Error("the cluster has no node");
      hub.node.run(["touch", `${volume}/go`]);
    },
    async deleteByForce({ metadata: { name = "" } }) {
      await client.delete(kubeResources.pod, { namespace: hostNamespace, name }, { gracePeriodSeconds: 0 });
    },
    async countStarts(name) {
      const { items: events } = await client.list(kubeResources.event, { namespace: hostNamespace });
      // Names of Pods end with a suffix of 8 characters.
      const isOwn = new RegExp(`^${name}-[^-]{8}$`);
      const own = events.filter(({ reason, regarding }) => reason === "Scheduled" && isOwn.test(regarding?.name ?? ""));
      return own.length;
    },
  };
  return scope;
}

function isRunning({ status, metadata }: Pod): boolean {
  const main = status?.containerStatuses?.find(({ name }) => name === "main");
  return main?.state?.running !== undefined && metadata.deletionTimestamp === undefined;
}
