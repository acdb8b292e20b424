import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Installation } from "@landscaper/api";
import { labels, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  blueprintYaml,
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  mockItem,
} from "../src/installations/inline-installation.ts";
import type { ChainLink } from "../src/installations/mock-chain.ts";
import { chainBlueprint } from "../src/installations/mock-chain.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { subInstallations } from "../src/installations/sub-installations.ts";

const chain: readonly ChainLink[] = [
  { name: "a", after: [], combine: "A" },
  { name: "b", after: ["a"], combine: "{{ .imports.a }}B" },
  { name: "c", after: ["b"], combine: "{{ .imports.b }}C" },
  { name: "d", after: ["c"], combine: "{{ .imports.c }}D" },
];
const join: readonly ChainLink[] = [
  { name: "a", after: [], combine: "A" },
  { name: "b", after: [], combine: "B" },
  { name: "c", after: [], combine: "C" },
  { name: "d", after: ["a", "b", "c"], combine: "({{ .imports.a }}|{{ .imports.b }}|{{ .imports.c }})D" },
];

function expectOrder(subs: Map<string, Installation>, links: readonly ChainLink[]): void {
  for (const { name, after } of links) {
    const started = Date.parse(subs.get(name)?.status?.transitionTimes?.initTime ?? "");
    for (const before of after) {
      const finished = Date.parse(subs.get(before)?.status?.transitionTimes?.finishedTime ?? "");
      expect({ name, before, inOrder: started >= finished }).toEqual({ name, before, inOrder: true });
    }
  }
}

/** A root with the sub-installations `exporter` and `importer`; the importer has a manifest item on the import "cluster". */
const exportingPair = {
  imports: [clusterImport, dataParameter("namespace", { type: "string" })],
  subinstallations: [
    {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "InstallationTemplate",
      name: "exporter",
      blueprint: {
        filesystem: {
          "blueprint.yaml": blueprintYaml({
            exports: [dataParameter("word", { type: "string" })],
            deployExecutions: deployItems(mockItem("item", { export: { word: "hello" } })),
            exportExecutions: goTemplate('exports: { word: {{ index .values.deployitems "item" "word" }} }\n'),
          }),
        },
      },
      exports: { data: [{ name: "word", dataRef: "word" }] },
    },
    {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "InstallationTemplate",
      name: "importer",
      blueprint: {
        filesystem: {
          "blueprint.yaml": blueprintYaml({
            imports: [
              clusterImport,
              dataParameter("word", { type: "string" }),
              dataParameter("namespace", { type: "string" }),
            ],
            deployExecutions: goTemplate(`
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
            metadata: { name: word, namespace: {{ .imports.namespace }} }
            data: { word: {{ .imports.word }} }
`),
          }),
        },
      },
      imports: {
        targets: [{ name: "cluster", target: "cluster" }],
        data: [
          { name: "word", dataRef: "word" },
          { name: "namespace", dataRef: "namespace" },
        ],
      },
    },
  ],
};

describe.each(clustersUnderTest())("sub-installations on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "mock-deployer"],
    });
  });
  afterAll(async () => environment.stop());

  it("scenario 8: run in the order of their data, also after it has changed", async () => {
    const scope = await environment.namespace("chain");
    const exports = { data: [{ name: "track", dataRef: "track" }] };
    await scope.apply(inlineInstallation({ name: "root", blueprint: chainBlueprint(chain, "d"), exports }));
    await scope.waitForPhase("root", "Succeeded");
    expect(await scope.exported("track")).toBe("ABCD");
    const first = await subInstallations(scope, "root");
    expect([...first.keys()].toSorted()).toEqual(["a", "b", "c", "d"]);
    expectOrder(first, chain);

    await scope.apply(inlineInstallation({ name: "root", blueprint: chainBlueprint(join, "d"), exports }));
    await scope.waitForPhase("root", "Succeeded");
    expect(await scope.exported("track")).toBe("(A|B|C)D");
    const second = await subInstallations(scope, "root");
    expectOrder(second, join);
    for (const [name, sub] of second) expect(sub.metadata.uid).toBe(first.get(name)?.metadata.uid);

    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
    expect(await scope.list(resources.installation)).toEqual([]);
    expect(await scope.list(resources.deployItem)).toEqual([]);
  });

  describe("while a sibling imports their exports", () => {
    const exporter = inlineInstallation({
      name: "a",
      blueprint: {
        exports: [dataParameter("word", { type: "string" })],
        deployExecutions: deployItems(mockItem("item", { export: { word: "hello" } })),
        exportExecutions: goTemplate('exports: { word: {{ index .values.deployitems "item" "word" }} }\n'),
      },
      exports: { data: [{ name: "word", dataRef: "word" }] },
    });
    const importer = inlineInstallation({
      name: "c",
      blueprint: {
        imports: [dataParameter("word", { type: "string" })],
        deployExecutions: deployItems(mockItem("item")),
      },
      imports: { data: [{ name: "word", dataRef: "word" }] },
    });

    it("scenario 12: roots wait with their deletion until it is gone", async () => {
      const scope = await environment.namespace("blocked");
      await scope.apply(exporter);
      await scope.waitForPhase("a", "Succeeded");
      await scope.apply(importer);
      await scope.waitForPhase("c", "Succeeded");
      const before = await scope.get(resources.installation, "c");

      await scope.delete(resources.installation, "a");
      const blocked = await scope.until(
        resources.installation,
        "a",
        (found) => found?.status?.lastError?.reason === "SiblingImport",
      );
      expect(blocked?.status?.phase).toBe("InitDelete");
      expect(blocked?.status?.lastError?.message).toContain("a sibling still imports some of the exports");
      const untouched = await scope.get(resources.installation, "c");
      expect(untouched.status?.jobID).toBe(before.status?.jobID);
      expect(untouched.metadata.deletionTimestamp).toBeUndefined();

      await scope.delete(resources.installation, "c");
      await scope.untilGone(resources.installation, "c");
      await scope.untilGone(resources.installation, "a");
    });

    it("scenario 12: sub-installations fail to go when it fails to go in the same job", async () => {
      const scope = await environment.namespace("delete-failed");
      const imports = {
        targets: [{ name: "cluster", target: "target" }],
        data: [{ name: "namespace", dataRef: "namespace" }],
      };
      await scope.apply(
        scope.target("target"),
        dataObject("namespace", scope.targetNamespace),
        inlineInstallation({ name: "root", blueprint: exportingPair, imports }),
      );
      await scope.waitForPhase("root", "Succeeded");
      // The importer's item refers to the Target in the scope of the root: without it, nothing can be uninstalled.
      const copies = await scope.list(resources.target, `${labels.dataContext}=Inst.root`);
      expect(copies.map(({ metadata }) => metadata.labels?.[labels.dataKey])).toEqual(["cluster"]);
      const copy = copies[0]!;
      const key = { namespace: scope.name, name: copy.metadata.name ?? "" };
      await scope.delete(resources.target, key.name);
      // Against its protection (docs/reference/protection.md).
      const body = { metadata: { finalizers: null } };
      await environment.client.patch(resources.target, key, { type: "merge", body });

      await scope.delete(resources.installation, "root");
      const failed = await scope.waitForPhase("root", "DeleteFailed");
      const subs = await subInstallations(scope, "root");
      expect([subs.get("importer")?.status?.phase, subs.get("exporter")?.status?.phase]).toEqual([
        "DeleteFailed",
        "DeleteFailed",
      ]);
      expect(failed.status?.lastError?.message).toContain("Target");

      // With the Target back, the next job removes everything.
      const { name = "", labels: copyLabels, annotations: copyAnnotations } = copy.metadata;
      const metadata = { name, labels: copyLabels ?? {}, annotations: copyAnnotations ?? {} };
      await scope.apply({ apiVersion: copy.apiVersion, kind: copy.kind, metadata, spec: copy.spec });
      await scope.trigger("root");
      await scope.untilGone(resources.installation, "root");
      expect(await scope.list(resources.installation)).toEqual([]);
    });
  });

  it("fail their parent with a path to the leaf", async () => {
    const scope = await environment.namespace("leaf");
    await scope.apply(
      inlineInstallation({
        name: "root",
        blueprint: {
          subinstallations: [
            {
              apiVersion: "landscaper.gardener.cloud/v1alpha1",
              kind: "InstallationTemplate",
              name: "broken",
              blueprint: {
                filesystem: {
                  "blueprint.yaml": blueprintYaml({
                    deployExecutions: goTemplate('deployItems: {{ fail "no luck" }}\n'),
                  }),
                },
              },
            },
          ],
        },
      }),
    );
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain("broken");
    expect(failed.status?.lastError?.message).toContain("no luck");
  });
});
