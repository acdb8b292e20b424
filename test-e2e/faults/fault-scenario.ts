import { resources } from "@landscaper/api";
import {
  blueprintYaml,
  clusterImport,
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
} from "../src/installations/inline-installation.ts";
import type { Environment, EnvironmentOptions } from "../src/services/environment.ts";
import type { ServiceName } from "../src/services/service-process.ts";
import type { Sentinel } from "../src/kits/sentinel.ts";
import { sentinelSecret } from "../src/kits/sentinel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

/** A manifest item with one ConfigMap (and a second one while `extra` is true), whose value is exported. */
function manifestTemplate(name: string): string {
  return `
deployItems:
  - name: item
    type: landscaper.gardener.cloud/kubernetes-manifest
    target: { import: cluster }
    config:
      apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
      kind: ProviderConfiguration
      manifests:
        - policy: manage
          manifest:
            apiVersion: v1
            kind: ConfigMap
            metadata: { name: ${name}, namespace: {{ .imports.settings.namespace }} }
            data: { token: {{ .imports.token | toJson }}, value: {{ .imports.settings.value | quote }} }
{{- if .imports.settings.extra }}
        - policy: manage
          manifest:
            apiVersion: v1
            kind: ConfigMap
            metadata: { name: ${name}-extra, namespace: {{ .imports.settings.namespace }} }
            data: {}
{{- end }}
      exports:
        exports:
          - key: value
            jsonPath: .data.value
            fromResource:
              apiVersion: v1
              kind: ConfigMap
              name: ${name}
              namespace: {{ .imports.settings.namespace }}
`;
}

const imports = [
  clusterImport,
  dataParameter("settings", { type: "object" }),
  dataParameter("token", { type: "string" }),
];
const exports = [dataParameter("result", { type: "string" })];
const exportItem = goTemplate('exports: { result: {{ index .values.deployitems "item" "value" }} }\n');
const targets = [{ name: "cluster", target: "cluster" }];
const settingsReference = { name: "settings", dataRef: "settings" };

const childTemplate = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "InstallationTemplate",
  name: "child",
  blueprint: {
    filesystem: {
      "blueprint.yaml": blueprintYaml({
        imports,
        exports,
        deployExecutions: goTemplate(manifestTemplate("child")),
        exportExecutions: exportItem,
      }),
    },
  },
  imports: { targets, data: [settingsReference, { name: "token", dataRef: "token" }] },
  exports: { data: [{ name: "result", dataRef: "child-result" }] },
};

/** A root with an item and a sub-installation; data, Secret and Target imports, exports at both levels. */
const faultInstallation = inlineInstallation({
  name: "root",
  blueprint: {
    imports,
    exports,
    deployExecutions: goTemplate(manifestTemplate("root")),
    subinstallations: [childTemplate],
    exportExecutions: goTemplate(
      'exports: { result: "{{ index .values.deployitems "item" "value" }}+{{ index .values.dataobjects "child-result" }}" }\n',
    ),
  },
  imports: { targets, data: [settingsReference, { name: "token", secretRef: { name: "sentinel", key: "value" } }] },
  exports: { data: [{ name: "result", dataRef: "result" }] },
});

/** One job of the scenario: `start` begins it, `finish` resolves when it has ended well. */
export interface FaultJob {
  readonly name: "create" | "update" | "delete";
  start(scope: TestNamespace, sentinel: Sentinel): Promise<void>;
  finish(scope: TestNamespace): Promise<void>;
}

/** What plays beside the services of a scenario. */
export interface Surroundings {
  /** Further lines of a snapshot of the scope. */
  describe(scope: TestNamespace): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Jobs that end in the same way with and without faults. */
export interface FaultScenario {
  /** What of the environment is under fault, for names of tests. */
  readonly name: string;
  readonly services: readonly ServiceName[];
  /** Those that are under fault: the writes of the jobs are theirs. */
  readonly struck: readonly ServiceName[];
  /** --config files by service. */
  readonly configs?: EnvironmentOptions["configs"];
  /** In this order: each job works on what the one before has left. */
  readonly jobs: readonly FaultJob[];
  /** Lines that the snapshot after a job must have, for its name: else two empty ones would be equal. */
  leaves(sentinel: Sentinel): Readonly<Record<FaultJob["name"], readonly string[]>>;
  readonly open?: (environment: Environment) => Surroundings;
}

const settings = (scope: TestNamespace, value: string, extra: boolean) =>
  dataObject("settings", { namespace: scope.targetNamespace, value, extra });

const jobs: readonly FaultJob[] = [
  {
    name: "create",
    async start(scope, sentinel) {
      const inputs = [sentinelSecret(sentinel), scope.target("cluster"), settings(scope, "first", true)];
      await scope.apply(...inputs, faultInstallation);
    },
    async finish(scope) {
      await scope.waitForPhase("root", "Succeeded");
    },
  },
  {
    name: "update",
    async start(scope) {
      await scope.apply(settings(scope, "second", false), faultInstallation);
    },
    async finish(scope) {
      await scope.waitForPhase("root", "Succeeded");
    },
  },
  {
    name: "delete",
    start: async (scope) => scope.delete(resources.installation, "root"),
    async finish(scope) {
      await scope.untilGone(resources.installation, "root");
      // What only owner references hold goes a moment later.
      for (const { metadata } of await scope.list(resources.dataObject)) {
        if (metadata.ownerReferences !== undefined) await scope.untilGone(resources.dataObject, metadata.name ?? "");
      }
      for (const { metadata } of await scope.list(resources.target)) {
        if (metadata.ownerReferences !== undefined) await scope.untilGone(resources.target, metadata.name ?? "");
      }
    },
  },
];

/** An Installation with manifest items: all the work of core and a deployer. */
export const manifestScenario: FaultScenario = {
  name: "with a manifest deployer",
  services: ["landscaper-core", "manifest-deployer"],
  struck: ["landscaper-core", "manifest-deployer"],
  jobs,
  leaves: ({ value }) => ({
    create: ["ConfigMap root-extra: undefined"],
    update: [`ConfigMap child: ${JSON.stringify({ token: value, value: "second" })}`],
    delete: [],
  }),
};
