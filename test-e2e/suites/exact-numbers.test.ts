// Numbers keep what kubectl and the API server keep of them, on every way of a manifest (docs/adr/0057-exact-numbers.md).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { isDeepEqual } from "@landscaper/patch";
import { parseJson } from "@landscaper/json";
import { numberLiterals, parityCases, readRecorded } from "@landscaper/local-cluster/testing/parity";
import { describeUnless, programAbsence, sendRequest } from "@landscaper/testkit";
import * as fc from "fast-check";
import { createKubectl, findKubectl } from "../src/clients/kubectl.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import {
  helmItem,
  inlineInstallation,
  clusterImport,
  goTemplate,
  itemsInstallation,
} from "../src/installations/inline-installation.ts";
import type { ItemScope } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { customKind } from "../src/items/readiness-objects.ts";
import { findDrift, paths } from "../src/numbers/offline-paths.ts";
import { specTexts } from "../src/numbers/random-manifests.ts";
import { storedNumber, storedText } from "../src/numbers/stored-numbers.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";

/** Random manifests without a cluster, and on each cluster; E2E_NUMBERS=full: 100,000 and 2,000. */
const isFull = process.env["E2E_NUMBERS"] === "full";
const offlineCount = isFull ? 100_000 : 1_000;
const clusterCount = isFull ? 2_000 : 40;
/** Manifests of one deploy item. */
const batchSize = 100;
const fullTimeoutMs = 3_600_000;
const program = findKubectl();

describe("the model of an API server's numbers", () => {
  it("says what a real API server has answered", () => {
    const parityCase = parityCases.find(({ name }) => name === "numbers of custom resources");
    if (parityCase === undefined) throw new Error("there is no such case");
    const text = JSON.stringify(
      readRecorded(parityCase).find(({ request }) => request.endsWith("/numbers/post"))?.body,
    );
    const stored = numberLiterals.map(storedNumber).join(",");
    expect(text).toContain(`"open":[${stored}]`);
  });
});

describe("random manifests without a cluster", () => {
  it(
    "are sent with the numbers that kubectl would send",
    () => {
      fc.assert(
        fc.property(specTexts, (text) => {
          const expected = storedText(text);
          for (const [name, path] of Object.entries(paths)) {
            const sent: unknown = parseJson(storedText(JSON.stringify(path(text))));
            expect([name, isExactly(sent, parseJson(expected))]).toEqual([name, true]);
          }
          expect(findDrift(text, expected)).toBeUndefined();
        }),
        { numRuns: offlineCount },
      );
    },
    fullTimeoutMs,
  );

  it("differ if one digit of an integer of 64 bits differs", () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 2n });
    fc.assert(
      fc.property(int64, (value) => {
        expect(isDeepEqual(parseJson(`[${value}]`), parseJson(`[${value + 1n}]`))).toBe(false);
      }),
    );
  });
});

/** Without the rule for numbers that a server stores as the same. The order of keys does not matter. */
function isExactly(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  const [keys, others] = [Object.keys(left), Object.keys(right)];
  return (
    keys.length === others.length && keys.every((key) => isExactly(Reflect.get(left, key), Reflect.get(right, key)))
  );
}

describe.each(clustersUnderTest())("random manifests on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });
  const specs = fc.sample(specTexts, clusterCount);
  const batches = Array.from({ length: Math.ceil(specs.length / batchSize) }, (_, index) =>
    specs.slice(index * batchSize, (index + 1) * batchSize),
  );

  async function openKind(prefix: string) {
    const scope = await suite.open(prefix);
    const kind = customKind(scope);
    await scope.deploy("kind", [kind.crd]);
    return { scope, ...kind };
  }

  /** The spec of an object as the server writes it, and the object's version. */
  async function readSpec(scope: ItemScope, group: string, name: string) {
    const { url, token, ca } = suite.environment.target;
    const path = `/apis/${group}/v1/namespaces/${scope.place}/things/${name}`;
    const { body } = await sendRequest({ url, token, caPem: ca }, { method: "GET", path });
    const { spec, metadata } = body as UnstructuredObject & { spec: unknown }; // of the kind above
    return { spec: JSON.stringify(spec), version: metadata.resourceVersion };
  }

  it.each(["update", "patch", "merge", "mergeOverwrite", "apply"])(
    "have the numbers of kubectl apply with the strategy %s, and no drift",
    async (updateStrategy) => {
      const { scope, object, type } = await openKind(`numbers-${updateStrategy.toLowerCase()}`);
      const named = (index: number, spec: unknown) => ({
        ...object,
        metadata: { ...object.metadata, name: `n${index}` },
        spec,
      });
      for (const [number, batch] of batches.entries()) {
        const item = `item-${number}`;
        const name = (index: number): number => number * batchSize + index;
        const manifests = batch.map((text, index) => named(name(index), parseJson(text)));
        await scope.deploy(
          item,
          manifests.map((manifest) => ({ ...manifest, spec: { old: 2n ** 60n } })),
          { config: { updateStrategy } },
        );
        const end = await scope.redeploy(item, manifests, { updateStrategy });
        expect(end.status?.lastError).toBeUndefined();
        const first = await Promise.all(
          batch.map(async (_, index) => await readSpec(scope, type.group, `n${name(index)}`)),
        );
        const wanted = batch.map((text) => parseJson(storedText(text)));
        const found = first.map(({ spec }) => withoutOld(parseJson(spec)));
        expect(found.map((spec, index) => isExactly(spec, withoutOld(wanted[index])))).toEqual(batch.map(() => true));
        await scope.redeploy(item, manifests, { updateStrategy });
        const second = await Promise.all(
          batch.map(async (_, index) => await readSpec(scope, type.group, `n${name(index)}`)),
        );
        expect(second).toEqual(first);
      }
    },
    fullTimeoutMs,
  );

  describeUnless(program === undefined ? programAbsence("kubectl") : undefined, describe)("kubectl apply", () => {
    it(
      "stores the same numbers",
      async () => {
        const { scope, object, type } = await openKind("numbers-kubectl");
        const kubectl = createKubectl(program ?? "", suite.environment.target.kubeconfig);
        try {
          for (const [number, batch] of batches.entries()) {
            const documents = batch.map((text, index) => {
              const metadata = JSON.stringify({ ...object.metadata, name: `k${number * batchSize + index}` });
              return `{"apiVersion":"${object.apiVersion}","kind":"${object.kind}","metadata":${metadata},"spec":${text}}`;
            });
            const stdin = documents.join("\n---\n");
            const { status, stderr } = await kubectl.run(["apply", "--validate=false", "-f", "-"], { stdin });
            expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
            const found = await Promise.all(
              batch.map(async (_, index) => await readSpec(scope, type.group, `k${number * batchSize + index}`)),
            );
            const wanted = batch.map((text) => parseJson(storedText(text)));
            expect(found.map(({ spec }, index) => isExactly(parseJson(spec), wanted[index]))).toEqual(
              batch.map(() => true),
            );
          }
        } finally {
          kubectl.dispose();
        }
      },
      fullTimeoutMs,
    );
  });

  it("are exported with every digit", async () => {
    const { scope, object } = await openKind("numbers-export");
    const manifest = { ...object, spec: { limit: 2n ** 63n - 1n, list: [9_007_199_254_740_993n] } };
    const { apiVersion, kind, metadata } = object;
    const fromResource = { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
    const exports = ["limit", "list"].map((key) => ({ key, jsonPath: `.spec.${key}`, fromResource }));
    await scope.deploy("item", [manifest], { config: { exports: { exports } } });
    expect(await scope.exportsOf("item")).toEqual(manifest.spec);
  });
});

/** Strategies that merge keep what an earlier manifest had. */
function withoutOld(spec: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(spec)).filter(([key]) => key !== "old"));
}

const chartTemplate = `apiVersion: v1
kind: ConfigMap
metadata: { name: plain }
data: { value: {{ .Values.large | quote }} }
---
apiVersion: numbers.example.org/v1
kind: Thing
metadata: { name: queue }
spec: { retention: 9223372036854775807, account: 9007199254740993, unlimited: 18446744073709551615 }
`;

describe.each(clustersUnderTest())("Installations on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
    environment = await startEnvironment({ cluster, services });
    const { crd } = customKind({ place: "default" } as ItemScope, { group: "numbers.example.org" }); // needs no more
    await environment.targetClient.create(kubeResources.customResourceDefinition, crd as never);
  });
  afterAll(async () => environment.stop());

  const type = { group: "numbers.example.org", version: "v1", kind: "Thing", plural: "things", namespaced: true };

  it("bring the integers of a blueprint's text to the target with every digit", async () => {
    const scope = await environment.namespace("numbers-text");
    await scope.apply(scope.target("target"));
    const template = `deployItems:
- name: item
  type: landscaper.gardener.cloud/kubernetes-manifest
  target: { import: cluster }
  config:
    apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
    kind: ProviderConfiguration
    manifests:
    - manifest:
        apiVersion: numbers.example.org/v1
        kind: Thing
        metadata: { name: account, namespace: ${scope.targetNamespace} }
        spec: { accountId: 9007199254740993, snowflake: 1234567890123456789 }
`;
    await scope.apply(
      inlineInstallation({
        name: "root",
        blueprint: { imports: [clusterImport], deployExecutions: goTemplate(template) },
        imports: { targets: [{ name: "cluster", target: "target" }] },
      }),
    );
    await scope.waitForPhase("root", "Succeeded");
    expect(await scope.findOnTarget(type, "account")).toMatchObject({
      spec: { accountId: 9_007_199_254_740_993n, snowflake: 1_234_567_890_123_456_789n },
    });
  });

  it.each([true, false])("deploy a chart's integers with every digit; as a release: %s", async (helmDeployment) => {
    const scope = await environment.namespace("numbers-chart");
    await scope.apply(scope.target("target"));
    const chart = await rawChart({ "templates/all.yaml": chartTemplate });
    const config = { chart, helmDeployment, values: { large: 9_007_199_254_740_993n } };
    await scope.apply(itemsInstallation([helmItem({ namespace: scope.targetNamespace, config })]));
    await scope.waitForPhase("root", "Succeeded");
    const found = await scope.findOnTarget(type, "queue");
    expect(found).toMatchObject({
      spec: { retention: 2n ** 63n - 1n, account: 9_007_199_254_740_993n, unlimited: 2 ** 64 },
    });
    // Values are float64, as in Helm.
    const plain = await scope.findOnTarget(kubeResources.configMap, "plain");
    expect(plain?.data).toEqual({ value: "9.007199254740992e+15" });
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    const again = await scope.findOnTarget(type, "queue");
    expect(again?.metadata.resourceVersion).toBe(found?.metadata.resourceVersion);
  });
});
