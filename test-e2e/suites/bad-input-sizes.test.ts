import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { dataObject, dataParameter, goTemplate, inlineInstallation } from "../src/installations/inline-installation.ts";
import { casesOfRun, clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { subInstallations, subInstallationTemplate } from "../src/installations/sub-installations.ts";

type Fields = Readonly<Record<string, unknown>>;

const mib = 1024 * 1024;
const text = { type: "string" };

/** One item of the mock deployer whose fields are templates. */
const mockTemplate = (fields: string): Fields => ({
  deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/mock
    config:
      apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      ${fields}
`),
});

/** root > leaf; the word goes down, and what becomes of it comes up. */
function nested(leaf: Fields, passes = "{{ .imports.word | quote }}"): UnstructuredObject {
  const word = { data: [{ name: "word", dataRef: "word" }] };
  const result = { data: [{ name: "result", dataRef: "result" }] };
  return inlineInstallation({
    name: "root",
    blueprint: {
      imports: [dataParameter("word", text)],
      exports: [dataParameter("result", text)],
      subinstallations: [
        subInstallationTemplate({
          name: "leaf",
          blueprint: {
            imports: [dataParameter("word", text)],
            exports: [dataParameter("result", text)],
            exportExecutions: goTemplate(`exports: { result: ${passes} }\n`),
            ...leaf,
          },
          imports: word,
          exports: result,
        }),
      ],
      exportExecutions: goTemplate("exports: { result: {{ .dataobjects.result | quote }} }\n"),
    },
    imports: word,
    exports: result,
  });
}

interface TooLarge {
  readonly name: string;
  readonly leaf: Fields;
  readonly word: () => string;
  readonly passes?: string;
  /** What the messages of leaf and root contain. */
  readonly names: readonly string[];
}

/** Executions are compressed: only what does not get smaller makes them too large. */
const random = (): string => randomBytes((mib / 4) * 3).toString("base64url");

const tooLarge: readonly TooLarge[] = [
  {
    name: "what the deploy items have together",
    word: random,
    leaf: mockTemplate("providerStatus: { apiVersion: a/v1, kind: K, a: {{ .imports.word }}, b: {{ .imports.word }} }"),
    names: ["all deploy items together", "API server"],
  },
  {
    name: "a deploy item",
    word: () => "x".repeat(mib),
    leaf: mockTemplate("providerStatus: { apiVersion: a/v1, kind: K, a: {{ .imports.word }}, b: {{ .imports.word }} }"),
    names: ['deploy item "item"', "API server"],
  },
  {
    name: "the exports of a deploy item",
    word: () => "x".repeat(mib * 0.6),
    leaf: mockTemplate("export: { a: {{ .imports.word }}, b: {{ .imports.word }} }"),
    names: ['deploy item "item"', "exports", "expected at most 1048576"],
  },
  {
    name: "an exported value",
    word: random,
    leaf: {},
    passes: "{{ .imports.word }}{{ .imports.word }}",
    names: ['DataObject "result"', "API server"],
  },
];

describe.each(clustersUnderTest())("large values on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
  });
  afterAll(async () => environment.stop());

  it("of 1 MiB are imported from DataObjects, ConfigMaps and Secrets, passed on, deployed and exported", async () => {
    const scope = await environment.namespace("large");
    const value = (letter: string): string => letter.repeat(mib);
    await scope.apply(
      dataObject("word", value("d")),
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "config" }, data: { a: value("c") } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "secret" }, stringData: { a: value("s") } },
    );
    const imports = ["word", "config", "secret"];
    const leaf = subInstallationTemplate({
      name: "leaf",
      blueprint: {
        imports: imports.map((name) => dataParameter(name, text)),
        exports: [dataParameter("result", text), dataParameter("sum", text)],
        ...mockTemplate("export: { word: {{ trunc 1040000 .imports.word }} }"),
        exportExecutions: goTemplate(
          `exports:
  result: {{ .imports.word }}
  sum: {{ printf "%d %d %d %d" (len .imports.word) (len .imports.config) (len .imports.secret) (len .values.deployitems.item.word) }}
`,
        ),
      },
      imports: { data: imports.map((name) => ({ name, dataRef: name })) },
      exports: { data: ["result", "sum"].map((name) => ({ name, dataRef: name })) },
    });
    await scope.apply(
      inlineInstallation({
        name: "root",
        blueprint: {
          imports: imports.map((name) => dataParameter(name, text)),
          exports: [dataParameter("result", text), dataParameter("sum", text)],
          subinstallations: [leaf],
          exportExecutions: goTemplate("exports: { result: {{ .dataobjects.result }}, sum: {{ .dataobjects.sum }} }\n"),
        },
        imports: {
          data: [
            { name: "word", dataRef: "word" },
            { name: "config", configMapRef: { name: "config", key: "a" } },
            { name: "secret", secretRef: { name: "secret", key: "a" } },
          ],
        },
        exports: { data: ["result", "sum"].map((name) => ({ name, dataRef: name })) },
      }),
    );
    await scope.waitForPhase("root", "Succeeded");
    expect(await scope.exported("sum")).toBe(`${mib} ${mib} ${mib} 1040000`);
    expect(await scope.exported("result")).toBe(value("d"));
  });

  it.each(casesOfRun("bad-input-sizes", tooLarge))(
    "$name that no object can hold fails leaf and root, is named, and can be mended",
    async (given) => {
      const scope = await environment.namespace("too-large");
      await scope.apply(dataObject("word", given.word()), nested(given.leaf, given.passes));
      const root = (await scope.waitForPhase("root", "Failed")).status?.lastError?.message ?? "";
      const leaf = (await subInstallations(scope, "root")).get("leaf")?.status?.lastError?.message ?? "";
      expect({ leaf, missing: given.names.filter((name) => !leaf.includes(name)) }).toEqual({ leaf, missing: [] });
      expect(root).toBe(`subinstallation "leaf": ${leaf}`);
      expect(root.length).toBeLessThan(1000);

      await scope.apply(dataObject("word", "small"), nested(given.leaf, given.passes));
      await scope.waitForPhase("root", "Succeeded");
      expect(await scope.exported("result")).toMatch(/^(small)+$/);
      await scope.delete(resources.installation, "root");
      await scope.untilGone(resources.installation, "root");
      expect(await scope.list(kubeResources.secret)).toEqual([]);
    },
  );
});
