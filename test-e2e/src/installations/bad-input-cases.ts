import type { UnstructuredObject } from "@landscaper/api";
import {
  clusterImport,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  manifestItem,
  mockItem,
} from "./inline-installation.ts";

const secretImport = dataParameter("secret", { type: "string" });
const imports = [clusterImport, secretImport];

/** The Installation under test: a Target and the secret value as imports. */
export function badInstallation(
  blueprint: Readonly<Record<string, unknown>>,
  other: {
    readonly exports?: Readonly<Record<string, unknown>>;
    readonly target?: string;
    readonly spec?: Readonly<Record<string, unknown>>;
  } = {},
): UnstructuredObject {
  return inlineInstallation({
    name: "root",
    blueprint: { imports, ...blueprint },
    imports: {
      targets: [{ name: "cluster", target: other.target ?? "target" }],
      data: [{ name: "secret", secretRef: { name: "sentinel", key: "value" } }],
    },
    ...(other.exports === undefined ? {} : { exports: other.exports }),
    ...(other.spec === undefined ? {} : { spec: other.spec }),
  });
}

/** One item of the manifest deployer whose text the case writes itself; `.imports.secret` is the secret value. */
function manifestTemplate(manifest: string, more = ""): Record<string, unknown> {
  return {
    deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/kubernetes-manifest
    timeout: 3s
    target: { import: cluster }
    config:
      apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
      kind: ProviderConfiguration
      manifests:
        - policy: manage
          manifest: ${manifest}
${more}
`),
  };
}

export interface BadInputCase {
  readonly name: string;
  readonly installation: UnstructuredObject;
  /** Texts that lastError of the root must contain: place, expected, found. */
  readonly names: readonly string[];
}

const secret = "{{ .imports.secret | quote }}";
const mockWith = (config: Readonly<Record<string, unknown>>): Record<string, unknown>[] => [mockItem("item", config)];

/** What only a controller can see; each ends the job as Failed and says where. */
export const blueprintCases: readonly BadInputCase[] = [
  {
    name: "an import that is longer than its schema allows",
    installation: badInstallation({
      imports: [clusterImport, dataParameter("secret", { type: "string", maxLength: 5 })],
      deployExecutions: deployItems(mockItem("item")),
    }),
    names: ["secret"],
  },
  {
    name: "an import that is none of the values of its schema",
    installation: badInstallation({
      imports: [clusterImport, dataParameter("secret", { enum: ["a", "b"] })],
      deployExecutions: deployItems(mockItem("item")),
    }),
    names: ["secret"],
  },
  {
    name: "a template that fails with the value",
    installation: badInstallation({ deployExecutions: goTemplate("deployItems: {{ fail .imports.secret }}\n") }),
    names: ["default", "1:"],
  },
  {
    name: "a template that treats the value as what it is not",
    installation: badInstallation({ deployExecutions: goTemplate("deployItems: {{ .imports.secret.field.deep }}\n") }),
    names: ["default"],
  },
  {
    name: "a template that hands the value to a function that refuses it",
    installation: badInstallation({ deployExecutions: goTemplate("x: {{ index .imports.secret 4000 }}\n") }),
    names: ["default"],
  },
  {
    name: "a template whose result is no YAML",
    installation: badInstallation({ deployExecutions: goTemplate("deployItems: [ {{ .imports.secret }}\n") }),
    names: ["default"],
  },
  {
    name: "a template whose result is no list of items",
    installation: badInstallation({ deployExecutions: goTemplate(`deployItems: ${secret}\n`) }),
    names: ["deployItems", "default"],
  },
  {
    name: "a template that leaves a value out",
    installation: badInstallation({
      deployExecutions: goTemplate(`deployItems: []\nx: [${secret}, {{ .imports.nothing }}]\n`),
    }),
    names: ["no value"],
  },
  {
    name: "an item that depends on one that does not exist",
    installation: badInstallation({
      deployExecutions: goTemplate(
        `deployItems:\n  - {name: item, type: landscaper.gardener.cloud/mock, config: {apiVersion: a/v1, kind: K}, dependsOn: [${secret}]}\n`,
      ),
    }),
    names: ["item", "dependsOn"],
  },
  {
    name: "a ring of items",
    installation: badInstallation({
      deployExecutions: deployItems(
        mockItem("one", {}, { dependsOn: ["two"] }),
        mockItem("two", {}, { dependsOn: ["one"] }),
      ),
    }),
    names: ["one", "two", "=>"],
  },
  {
    name: "a Target that does not exist",
    installation: badInstallation({ deployExecutions: deployItems(mockItem("item")) }, { target: "nowhere" }),
    names: ["cluster", "nowhere"],
  },
  {
    name: "a component descriptor whose resource has no name",
    installation: badInstallation(
      { deployExecutions: deployItems(mockItem("item")) },
      {
        spec: {
          componentDescriptor: {
            inline: {
              meta: { schemaVersion: "v2" },
              component: { name: "example.com/c", version: "v1", resources: [{ type: "ociImage" }] },
            },
          },
        },
      },
    ),
    names: ["spec.componentDescriptor.inline", "component.resources[0].name: required field is missing"],
  },
  {
    name: "a resource that the component does not have",
    installation: badInstallation(
      { deployExecutions: goTemplate('deployItems: {{ getResource "name" .imports.secret }}\n') },
      {
        spec: {
          componentDescriptor: {
            inline: {
              apiVersion: "ocm.software/v3alpha1",
              kind: "ComponentVersion",
              metadata: { name: "example.com/c", version: "v1" },
              spec: { resources: [{ name: "image", version: "v1", type: "ociImage" }] },
            },
          },
        },
      },
    ),
    names: ["default", "no resource of example.com/c:v1 has the given name"],
  },
  {
    name: "an export template that fails with the value",
    installation: badInstallation(
      {
        exports: [dataParameter("result", { type: "string" })],
        deployExecutions: deployItems(mockItem("item")),
        exportExecutions: goTemplate("exports: { result: {{ fail .imports.secret }} }\n"),
      },
      { exports: { data: [{ name: "result", dataRef: "result" }] } },
    ),
    names: ["default"],
  },
  {
    name: "an exported value that violates its schema",
    installation: badInstallation(
      {
        exports: [dataParameter("result", { type: "string", maxLength: 5 })],
        deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/mock
    config:
      apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      export: { value: ${secret} }
`),
        exportExecutions: goTemplate('exports: { result: {{ index .values.deployitems "item" "value" | quote }} }\n'),
      },
      { exports: { data: [{ name: "result", dataRef: "result" }] } },
    ),
    names: ["result"],
  },
  {
    name: "an export that nobody provides",
    installation: badInstallation(
      {
        exports: [dataParameter("result", { type: "string" })],
        deployExecutions: deployItems(...mockWith({ export: { other: "x" } })),
        exportExecutions: goTemplate("exports: { other: 1 }\n"),
      },
      { exports: { data: [{ name: "result", dataRef: "result" }] } },
    ),
    names: ["result"],
  },
];

/** What the deployer or the API server of the target refuses. */
export const deployerCases: readonly BadInputCase[] = [
  {
    name: "a configuration with an unknown policy",
    installation: badInstallation({
      deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/kubernetes-manifest
    target: { import: cluster }
    config:
      apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
      kind: ProviderConfiguration
      updateStrategy: ${secret}
      manifests: []
`),
    }),
    names: ["item", "updateStrategy"],
  },
  {
    name: "a manifest without kind",
    installation: badInstallation(manifestTemplate(`{apiVersion: v1, metadata: {name: ${secret}}}`)),
    names: ["item", "kind"],
  },
  {
    name: "a manifest with a name that the API server refuses",
    installation: badInstallation(
      manifestTemplate(
        `{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: No_Name}, data: {a: ${secret}}}`,
      ),
    ),
    names: ["item", "No_Name"],
  },
  {
    name: "a manifest with a label that the API server refuses",
    installation: badInstallation(
      manifestTemplate(
        `{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: refused, labels: {a: ${secret}}}}`,
      ),
    ),
    names: ["item", "refused"],
  },
  {
    name: "a manifest with a finalizer that the API server refuses",
    installation: badInstallation(
      manifestTemplate(
        `{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: refused, finalizers: [${secret}]}}`,
      ),
    ),
    names: ["item", "refused"],
  },
  {
    name: "a manifest with a field of another type",
    installation: badInstallation(
      manifestTemplate(
        `{apiVersion: v1, kind: Service, metadata: {namespace: default, name: refused}, spec: {ports: [{port: ${secret}}]}}`,
      ),
    ),
    names: ["item", "refused"],
  },
  {
    name: "a manifest of a kind that the target does not have",
    installation: badInstallation(
      manifestTemplate(`{apiVersion: example.test/v1, kind: Thing, metadata: {name: a}, spec: {a: ${secret}}}`),
    ),
    names: ["item", "Thing"],
  },
  {
    name: "an export with a broken JSONPath",
    installation: badInstallation(
      manifestTemplate(
        "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: exported}}",
        `      exports: {exports: [{key: a, jsonPath: ${secret}, fromResource: {apiVersion: v1, kind: ConfigMap, name: exported, namespace: default}}]}`,
      ),
    ),
    names: ["item"],
  },
  {
    name: "a readiness check that is never met",
    installation: badInstallation(
      manifestTemplate(
        "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: checked}}",
        `      readinessChecks: {custom: [{name: check, resourceSelector: [{apiVersion: v1, kind: ConfigMap, name: checked, namespace: default}], requirements: [{jsonPath: .data.a, operator: "==", values: [{value: ${secret}}]}]}]}`,
      ),
    ),
    names: ["item", "check"],
  },
];

export interface BadTargetCase {
  readonly name: string;
  readonly config: (secret: string) => unknown;
  readonly names: readonly string[];
}

function kubeconfigWith(user: Readonly<Record<string, unknown>>, server = "https://127.0.0.1:9"): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server } }],
    users: [{ name: "u", user }],
  });
}

/** Broken access data; it carries the secret value itself. */
export const badTargetCases: readonly BadTargetCase[] = [
  {
    name: "a kubeconfig that is no YAML",
    config: (secret) => ({ kubeconfig: `users: [ ${secret}` }),
    names: ["target", "kubeconfig"],
  },
  {
    name: "a kubeconfig without contexts",
    config: (secret) => ({ kubeconfig: `apiVersion: v1\nkind: Config\nusers: [{name: ${JSON.stringify(secret)}}]\n` }),
    names: ["target", "kubeconfig"],
  },
  {
    name: "a kubeconfig that runs a program",
    config: (secret) => ({
      kubeconfig: kubeconfigWith({ exec: { command: "x", env: [{ name: "A", value: secret }] } }),
    }),
    names: ["target", "exec"],
  },
  {
    name: "a kubeconfig that names files",
    config: (secret) => ({ kubeconfig: kubeconfigWith({ tokenFile: `/${secret}` }) }),
    names: ["target", "tokenFile"],
  },
  {
    name: "a kubeconfig for a server that does not answer",
    config: (secret) => ({ kubeconfig: kubeconfigWith({ token: secret.replaceAll(/[^a-z0-9]/g, "") }) }),
    names: ["127.0.0.1:9"],
  },
];

/**
 * A well-formed Installation of the same name and imports: what heals every case. Its item is a new one, for types cannot change; it
 * deploys into the namespace, where no other test does.
 */
export function goodInstallation(namespace: string): UnstructuredObject {
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "healed", namespace } };
  return badInstallation({ deployExecutions: deployItems(manifestItem({ name: "healed", manifests: [manifest] })) });
}
