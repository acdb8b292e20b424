// Deploy items, charts and target objects whose content keeps a deployer busy, beside items of another tenant.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { gzipSync } from "node:zlib";
import type { DeployItemSpec, UnstructuredObject } from "@landscaper/api";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { leasedServices, startLeasedServices, type Watched } from "../../hostile/leased-services.ts";
import { startEnvironment, type Environment } from "../../src/environment.ts";
import { clustersUnderTest } from "../../src/selected-clusters.ts";
import type { TestNamespace } from "../../src/test-namespace.ts";

const services = ["manifest-deployer", "helm-deployer"] as const;
/** Processor time in which a main thread gives timers no turn: several items may be parsed between two of them. Each of the attacks alone took seconds. */
const longestTurnMs = 500;

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
function configMap(name: string, namespace: string, fields: object = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, ...fields };
}

function manifestConfig(manifests: readonly unknown[], fields: object = {}): Record<string, unknown> {
  return {
    apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
    kind: "ProviderConfiguration",
    manifests: manifests.map((manifest) => ({ policy: "manage", manifest })),
    ...fields,
  };
}

async function helmConfig(
  name: string,
  { namespace, template, ...fields }: { namespace: string; template: string } & Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const apiVersion = "helm.deployer.landscaper.gardener.cloud/v1alpha1";
  const chart = await rawChart({ "templates/all.yaml": template });
  return { apiVersion, kind: "ProviderConfiguration", name, namespace, chart, ...fields };
}

const oneMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\n";

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

interface Attack {
  readonly name: string;
  readonly config: (scope: TestNamespace) => Promise<Record<string, unknown>> | Record<string, unknown>;
  /** Before the item. */
  readonly prepare?: (scope: TestNamespace, environment: Environment) => Promise<unknown>;
  /** Part of the message of its failure; undefined: it succeeds. */
  readonly fails?: string;
}

const manifestAttacks: readonly Attack[] = [
  {
    name: "objects",
    config: ({ targetNamespace }) => manifestConfig(times(5500, (index) => configMap(`map-${index}`, targetNamespace))),
    fails: "spec.config: found a list of more than 5000 entries, which no pass of a job may work on",
  },
  {
    name: "exports",
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
];

const helmAttacks: readonly Attack[] = [
  {
    name: "yaml",
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
    config: async ({ targetNamespace: namespace }) => helmConfig("record", { namespace, template: oneMap }),
    prepare: async ({ targetNamespace }, { targetClient }) =>
      targetClient.create(
        { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
        hostileRecord("record", targetNamespace),
      ),
  },
];

describe.each(clustersUnderTest())("content that takes long on %s", (cluster) => {
  let environment: Environment;
  let watched: Watched;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, ...leasedServices, args: {}, services });
    watched = await startLeasedServices(environment);
  }, 120_000);
  afterAll(async () => environment.stop());

  async function open(name: string): Promise<{ scope: TestNamespace; items: DeployerScope }> {
    const scope = await environment.namespace(name);
    const { client: hubClient, targetKubeconfig } = environment;
    const items = createDeployerScope({ hubClient, targetKubeconfig, namespace: scope.name, timeoutMs: 90_000 });
    await items.createTarget();
    return { scope, items };
  }

  it.each([
    ["manifest-deployer", "kubernetes-manifest", manifestAttacks],
    ["helm-deployer", "helm", helmAttacks],
  ] as const)(
    "keeps no turn of the %s",
    async (...[service, type, attacks]) => {
      const hostile = await open("hostile");
      const healthy = await open("healthy");
      const specOf = ({ scope }: { scope: TestNamespace }, config: Record<string, unknown>): DeployItemSpec => ({
        type: `landscaper.gardener.cloud/${type}`,
        config,
        target: { name: "cluster", namespace: scope.name },
      });
      for (const { name, config, prepare } of attacks) {
        await prepare?.(hostile.scope, environment);
        await hostile.items.create({ name, spec: specOf(hostile, await config(hostile.scope)) });
      }
      const { targetNamespace: namespace } = healthy.scope;
      const config =
        type === "helm"
          ? await helmConfig("fine", { namespace, template: oneMap })
          : manifestConfig([configMap("fine", namespace)]);
      await healthy.items.create({ name: "fine", spec: specOf(healthy, config) });
      expect((await healthy.items.waitForEnd("fine")).status?.phase).toBe("Succeeded");
      const ends: unknown[] = [];
      for (const { name } of attacks) {
        const { status } = await hostile.items.waitForEnd(name);
        ends.push([name, status?.phase, status?.lastError?.message]);
      }
      expect(ends).toEqual(
        attacks.map(({ name, fails }) =>
          fails === undefined ? [name, "Succeeded", undefined] : [name, "Failed", expect.stringContaining(fails)],
        ),
      );
      expect(await watched.findDisturbances()).toEqual([]);
      const vitals = (await watched.read()).find((each) => each.service.startsWith(service));
      expect(vitals?.longestTurnMs).toBeLessThan(longestTurnMs);
    },
    240_000,
  );
});
