// A container item whose program counts its runs in its state: a program that ran twice for a job, or with an older state, shows in what it leaves.
import { startPodRunner } from "@landscaper/container-deployer-lib/testing";
import { resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { runConfigMapProgram } from "../containers/config-map-program.ts";
import type { Environment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
} from "../src/installations/inline-installation.ts";
import { sentinelSecret } from "../src/kits/sentinel.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import type { FaultJob, FaultScenario, Surroundings } from "./fault-scenario.ts";

const containerInstallation = inlineInstallation({
  name: "root",
  blueprint: {
    imports: [clusterImport, dataParameter("settings", { type: "object" }), dataParameter("token", { type: "string" })],
    exports: [dataParameter("result", { type: "string" })],
    deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/container
    target: { import: cluster }
    config:
      apiVersion: container.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      image: registry.example/program:1
      importValues:
        name: root
        namespace: {{ .imports.settings.namespace }}
        data: { value: {{ .imports.settings.value }} }
        says: {{ .imports.token | toJson }}
        exports: { value: {{ .imports.settings.value }} }
`),
    exportExecutions: goTemplate('exports: { result: {{ index .values.deployitems "item" "value" }} }\n'),
  },
  imports: {
    targets: [{ name: "cluster", target: "cluster" }],
    data: [
      { name: "settings", dataRef: "settings" },
      { name: "token", secretRef: { name: "sentinel", key: "value" } },
    ],
  },
  exports: { data: [{ name: "result", dataRef: "result" }] },
});

const settings = (scope: TestNamespace, value: string) =>
  dataObject("settings", { namespace: scope.targetNamespace, value });

const jobs: readonly FaultJob[] = [
  {
    name: "create",
    start: async (scope, sentinel) =>
      scope.apply(sentinelSecret(sentinel), scope.target("cluster"), settings(scope, "first"), containerInstallation),
    finish: async (scope) => void (await scope.waitForPhase("root", "Succeeded")),
  },
  {
    name: "update",
    start: async (scope) => scope.apply(settings(scope, "second"), containerInstallation),
    finish: async (scope) => void (await scope.waitForPhase("root", "Succeeded")),
  },
  {
    name: "delete",
    start: async (scope) => scope.delete(resources.installation, "root"),
    async finish(scope) {
      await scope.untilGone(resources.installation, "root");
      for (const type of [resources.dataObject, resources.target]) {
        for (const { metadata } of await scope.list(type)) {
          if (metadata.ownerReferences !== undefined) await scope.untilGone(type, metadata.name ?? "");
        }
      }
    },
  },
];

/** Runs the Pods; their programs reach the cluster without the proxies. */
function runPods({ client, hub }: Environment): Surroundings {
  const { url: server, ca } = hub;
  const runner = startPodRunner({
    client,
    server,
    ca,
    namespace: harnessNamespace,
    program: runConfigMapProgram,
  });
  return {
    async describe({ name }) {
      const runs = runner.started.filter(({ namespace }) => namespace === name).map(({ operation }) => operation);
      // The Pod of a job that has ended goes a moment later.
      const names = await waitFor(async () => {
        const left = (await runner.pods.hostObjects()).filter((object) => object.includes(`${name}-`));
        return left.some((object) => object.startsWith("Pod ")) ? undefined : left;
      });
      // Parts of a state are named by their run.
      const objects = names.map((object) => `host: ${object.replace(/^(Secret state-.*)-[^-]+-(\d+)$/, "$1-RUN-$2")}`);
      return [`ran ${runs.join(", ")}`, ...objects];
    },
    stop: async () => runner.stop(),
  };
}

export const containerScenario: FaultScenario = {
  name: "with a container deployer",
  services: ["landscaper-core", "container-deployer"],
  struck: ["container-deployer"],
  configs: { "container-deployer": { namespace: harnessNamespace } },
  jobs,
  leaves: () => ({
    create: ["ran RECONCILE", "host: Secret state-HUB-root/item-RUN-0"],
    update: [
      `ConfigMap root: ${JSON.stringify({ runs: "2", value: "second" })}`,
      "host: Secret HUB-root/item-last-success",
      "ran RECONCILE, RECONCILE",
    ],
    delete: ["ran RECONCILE, RECONCILE, DELETE"],
  }),
  open: runPods,
};
