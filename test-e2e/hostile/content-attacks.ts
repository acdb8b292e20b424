// What deploy items, charts and target objects may hold to keep a deployer busy.
import { gzipSync } from "node:zlib";
import { annotations, kubeResources, type UnstructuredObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import type { Environment } from "../src/services/environment.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

type Config = Record<string, unknown>;

export interface ContentAttack {
  readonly name: string;
  /** Also when not everything is run. */
  readonly isShort?: boolean;
  readonly config: (scope: TestNamespace) => Promise<Config> | Config;
  /** Before the item. */
  readonly prepare?: (scope: TestNamespace, environment: Environment) => Promise<unknown>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Part of the message of its failure; undefined: it succeeds. */
  readonly fails?: string;
  /** After its end another job with another configuration, then a plan for a third one. */
  readonly again?: (scope: TestNamespace, round: number) => Promise<Config> | Config;
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

export function configMap(name: string, namespace: string, fields: object = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, ...fields };
}

export function manifestConfig(manifests: readonly unknown[], fields: object = {}): Config {
  return {
    apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
    kind: "ProviderConfiguration",
    manifests: manifests.map((manifest) => ({ policy: "manage", manifest })),
    ...fields,
  };
}

export async function helmConfig(
  name: string,
  { namespace, template, ...fields }: { namespace: string; template: string } & Record<string, unknown>,
): Promise<Config> {
  const apiVersion = "helm.deployer.landscaper.gardener.cloud/v1alpha1";
  const chart = await rawChart({ "templates/all.yaml": template });
  return { apiVersion, kind: "ProviderConfiguration", name, namespace, chart, ...fields };
}

export const oneMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\n";

/** ConfigMaps of 2,000 keys each: a MiB of YAML and more. */
const manyKeys = `{{ range $i := until 20 }}
---
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ $.Release.Name }}-{{ $i }} }
data:
{{- range $k := until 2000 }}
  key-{{ $k }}: "a value"
{{- end }}
{{ end }}`;

/** A ConfigMap that holds all values. */
const allValues = `apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }} }
data: {{ toJson .Values.all }}
`;

/** A record of Helm that expands to millions of lists. */
function hostileRecord(release: string, namespace: string): UnstructuredObject {
  const head = `"name":"${release}","namespace":"${namespace}","version":1,"info":{"status":"deployed"},"chart":{}`;
  const json = `{${head},"manifest":"","config":{"a":[${"[],".repeat(4_000_000)}1]}}`;
  const base64 = (bytes: Buffer): string => bytes.toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: `sh.helm.release.v1.${release}.v1`,
      namespace,
      labels: { owner: "helm", name: release, status: "deployed", version: "1" },
    },
    type: "helm.sh/release.v1",
    data: { release: base64(Buffer.from(base64(gzipSync(json)))) },
  };
}

/** A kind whose objects may hold anything, with an object of nearly as many values as a configuration may have. */
function manyValues(kind: string, namespace: string, round: number): UnstructuredObject[] {
  const group = "hostile.example.org";
  const plural = `${kind.toLowerCase()}s`;
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  const data = times(990, (i) => times(99, (k) => (k === 0 ? `text-${i}-${round}` : k + round)));
  return [crd, { apiVersion: `${group}/v1`, kind, metadata: { name: "all", namespace }, data }];
}

/** Texts that nothing else holds. */
function manyTexts(count: number, round: number): Record<string, string> {
  return Object.fromEntries(times(count, (i) => [`k${i}`, `text-${i}-of-${round}`]));
}

/** What says which values are secret, as a tenant can write it. */
function marks(paths: readonly string[]): Readonly<Record<string, string>> {
  const text = JSON.stringify(paths);
  return { [annotations.sensitiveConfig]: text, [annotations.formerSensitiveConfig]: text };
}

const strategies = ["update", "patch", "merge", "mergeOverwrite", "apply"] as const;

export const manifestAttacks: readonly ContentAttack[] = [
  {
    name: "objects",
    isShort: true,
    config: ({ targetNamespace }) => manifestConfig(times(5500, (index) => configMap(`map-${index}`, targetNamespace))),
    fails: "spec.config: found a list of more than 5000 entries, which no pass of a job may work on",
  },
  {
    name: "exports",
    isShort: true,
    config: ({ targetNamespace: namespace }) =>
      manifestConfig([configMap("map", namespace, { data: { value: "exported" } })], {
        exports: {
          exports: times(3000, (index) => ({
            key: `group-${index % 7}.key-${index}`,
            jsonPath: ".data.value",
            fromResource: { apiVersion: "v1", kind: "ConfigMap", name: "map", namespace },
          })),
        },
      }),
  },
  ...strategies.map((updateStrategy): ContentAttack => {
    const config = ({ targetNamespace }: TestNamespace, round = 0): Config =>
      manifestConfig(manyValues(`Of${updateStrategy}`, targetNamespace, round), { updateStrategy });
    return {
      name: `values-${updateStrategy.toLowerCase()}`,
      isShort: updateStrategy === "update",
      config,
      again: config,
    };
  }),
  {
    // Nothing says which of them are no secrets.
    name: "secrets",
    isShort: true,
    config: ({ targetNamespace }) =>
      manifestConfig([configMap("secrets", targetNamespace, { data: manyTexts(20_000, 0) })]),
    again: ({ targetNamespace }, round) =>
      manifestConfig([configMap("secrets", targetNamespace, { data: manyTexts(20_000, round) })]),
  },
  {
    name: "marks",
    annotations: marks(times(5000, (i) => `/manifests/0/manifest/data/k${i}`).slice(0, 3000)),
    config: ({ targetNamespace }) =>
      manifestConfig([configMap("marks", targetNamespace, { data: manyTexts(20_000, 0) })]),
    again: ({ targetNamespace }, round) =>
      manifestConfig([configMap("marks", targetNamespace, { data: manyTexts(20_000, round) })]),
  },
  {
    name: "deep-marks",
    annotations: marks(["/a".repeat(60_000)]),
    config: ({ targetNamespace }) => manifestConfig([configMap("deep-marks", targetNamespace)]),
  },
  {
    name: "refused",
    config: ({ targetNamespace }) =>
      manifestConfig([configMap("refused", targetNamespace, { data: { ...manyTexts(20_000, 0), "a/b": "text" } })]),
    fails: "ConfigMap",
  },
];

const valuesFrom = (name: string): object => ({ valuesFrom: [{ kind: "Secret", name, valuesKey: "values" }] });

interface SecretValues {
  readonly name: string;
  readonly round: number;
  readonly count?: number;
}

async function writeValues(scope: TestNamespace, { name, round, count = 29_000 }: SecretValues): Promise<void> {
  const lines = Object.entries(manyTexts(count, round)).map(([key, text]) => `  ${key}: ${text}\n`);
  await scope.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name },
    data: { values: Buffer.from(`all:\n${lines.join("")}`).toString("base64") },
  });
}

function ofSecrets(
  name: string,
  template: string,
  { fails, ...fields }: { fails?: string; helmDeployment?: boolean } = {},
): ContentAttack {
  const config = async ({ targetNamespace: namespace }: TestNamespace): Promise<Config> =>
    helmConfig(name, { namespace, template, ...valuesFrom(name), ...fields });
  const prepare = async (scope: TestNamespace): Promise<void> => writeValues(scope, { name, round: 0 });
  const again = async (scope: TestNamespace, round: number): Promise<Config> => {
    await writeValues(scope, { name, round });
    return config(scope);
  };
  return { name, config, prepare, ...(fails === undefined ? { again } : { fails }) };
}

export const helmAttacks: readonly ContentAttack[] = [
  {
    name: "yaml",
    isShort: true,
    config: async ({ targetNamespace: namespace }) =>
      helmConfig("yaml", {
        namespace,
        template: manyKeys,
        helmDeployment: false,
        postRender: { commonLabels: { a: "b" } },
      }),
  },
  {
    name: "record",
    isShort: true,
    config: async ({ targetNamespace: namespace }) => helmConfig("record", { namespace, template: oneMap }),
    prepare: async ({ targetNamespace }, { targetClient }) =>
      targetClient.create(kubeResources.secret, hostileRecord("record", targetNamespace)),
  },
  {
    name: "values",
    config: async ({ targetNamespace: namespace }) =>
      helmConfig("values", { namespace, template: allValues, values: { all: manyTexts(20_000, 0) } }),
    again: async ({ targetNamespace: namespace }, round) =>
      helmConfig("values", { namespace, template: allValues, values: { all: manyTexts(20_000, round) } }),
  },
  {
    // As few texts as can be beside as many values as can be.
    name: "both",
    config: async ({ targetNamespace: namespace }) =>
      helmConfig("both", {
        namespace,
        template: allValues,
        values: { all: manyTexts(15_000, 0) },
        valuesFrom: [{ kind: "Secret", name: "few", valuesKey: "values" }],
      }),
    annotations: marks(times(3000, (i) => `/values/all/k${i}`)),
    prepare: async (scope) => writeValues(scope, { name: "few", round: 0, count: 10 }),
    again: async ({ targetNamespace: namespace }, round) =>
      helmConfig("both", {
        namespace,
        template: allValues,
        values: { all: manyTexts(15_000, round) },
        valuesFrom: [{ kind: "Secret", name: "few", valuesKey: "values" }],
      }),
  },
  { ...ofSecrets("secrets-release", allValues), isShort: true },
  ofSecrets("secrets-manifests", allValues, { helmDeployment: false }),
  ofSecrets("secrets-failing", "{{ fail (toJson .Values.all) }}", { fails: '":"[...]","k' }),
  ofSecrets("secrets-refused", allValues.replace("{{ .Release.Name }}", "A_B"), {
    helmDeployment: false,
    fails: "A_B",
  }),
];
