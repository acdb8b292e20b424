import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type UnstructuredObject } from "@landscaper/api";
import { badInstallation } from "../src/installations/bad-input-cases.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  blueprintYaml,
  dataObject,
  dataParameter,
  deployItems,
  inlineInstallation,
  mockItem,
  spiff,
} from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createSentinel, sentinelSecret } from "../src/kits/sentinel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import type { NatsTap } from "../src/namespaces/visible-texts.ts";
import { collectVisibleTexts, findLeaks, tapNats } from "../src/namespaces/visible-texts.ts";

/** A node that keeps the value that it had in the first job. */
const kept = (expression: string): string => `(( &state ( ${expression} ) ))`;

const text = { type: "string" } as const;

/** All kinds of executions with states of their own, a nested Installation with a mapping, and a file. */
const blueprint = {
  imports: [
    dataParameter("release", { type: "object", required: ["name", "namespace"] }),
    dataParameter("greeting", text),
  ],
  exports: [dataParameter("deployed", text), dataParameter("first", text)],
  importExecutions: spiff({
    errors: [{ "<<<": '(( imports.greeting == "" ? ["a greeting must be given"] :[] ))' }],
    bindings: { path: '(( imports.release.namespace "/" imports.release.name ))' },
  }),
  deployExecutions: spiff({
    first: kept("imports.release.name"),
    deployItems: [
      mockItem("item", {
        export: {
          now: '(( imports.greeting " in version " trim(read("VERSION", "text"), "\\n") ))',
          path: "(( imports.path ))",
          first: "(( .first ))",
        },
      }),
    ],
  }),
  subinstallationExecutions: spiff({
    first: kept('"sub-" imports.release.name'),
    subinstallations: [
      {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "InstallationTemplate",
        name: "child",
        blueprint: {
          filesystem: {
            "blueprint.yaml": blueprintYaml({
              imports: [dataParameter("shout", text)],
              deployExecutions: spiff({
                deployItems: [mockItem("item", { export: { shout: "(( imports.shout ))" } })],
              }),
            }),
          },
        },
        imports: { data: [{ name: "greeting", dataRef: "greeting" }] },
        importDataMappings: { shout: '((! upper(greeting) "!" ))' },
        exports: {},
      },
    ],
    labels: { first: "(( .first ))" },
  }),
  exportExecutions: spiff({
    first: kept("deployitems.item.now"),
    exports: { deployed: "(( values.deployitems.item.now ))", first: "(( .first ))" },
  }),
};

const root: UnstructuredObject = inlineInstallation({
  name: "root",
  blueprint,
  files: { VERSION: "v1.2.3\n" },
  imports: { data: ["temp-name", "settings"].map((name) => ({ name, dataRef: name })) },
  exports: { data: ["deployed", "summary", "names"].map((name) => ({ name, dataRef: name })) },
  spec: {
    importDataMappings: {
      release: { name: "(( temp-name ))", namespace: "(( settings.namespace ))" },
      greeting: '(( "hello " temp-name ))',
    },
    exportDataMappings: {
      summary: { now: "(( deployed ))", before: "(( exports.first ))" },
      names: "(( keys(exports) ))",
    },
  },
});

/** The export of a deploy item, as the deployer has stored it. */
async function itemExport(scope: TestNamespace, execution: string): Promise<unknown> {
  const item = (await scope.deployItems(execution)).get("item");
  const secret = await scope.get(kubeResources.secret, item?.status?.exportRef?.name ?? "");
  return JSON.parse(Buffer.from(secret.data?.["config"] ?? "", "base64").toString("utf8"));
}

describe.each(clustersUnderTest())("spiff on %s", (cluster) => {
  let environment: Environment;
  let tap: NatsTap | undefined;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"], nats: true });
    if (environment.nats !== undefined) tap = await tapNats(environment.nats.url);
  });
  afterAll(async () => {
    await tap?.stop();
    await environment.stop();
  });

  it("maps imports and exports, runs executions of all kinds and keeps their states over jobs", async () => {
    const scope = await environment.namespace("spiff");
    await scope.apply(dataObject("temp-name", "one"), dataObject("settings", { namespace: "apps" }), root);
    await scope.waitForPhase("root", "Succeeded");
    expect(await itemExport(scope, "root")).toEqual({
      now: "hello one in version v1.2.3",
      path: "apps/one",
      first: "one",
    });
    expect(await scope.exported("deployed")).toBe("hello one in version v1.2.3");
    expect(await scope.exported("names")).toEqual(["deployed", "first"]);

    await scope.apply(dataObject("temp-name", "two"));
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    expect(await itemExport(scope, "root")).toEqual({
      now: "hello two in version v1.2.3",
      path: "apps/two",
      first: "one",
    });
    expect(await scope.exported("summary")).toEqual({
      now: "hello two in version v1.2.3",
      before: "hello one in version v1.2.3",
    });
    const children = (await scope.list(resources.execution)).map(({ metadata }) => metadata.name ?? "");
    const child = children.find((name) => name !== "root") ?? "";
    expect(await itemExport(scope, child)).toEqual({ shout: "HELLO TWO!" });

    const states = (await scope.list(kubeResources.secret)).flatMap(({ data, metadata }) =>
      metadata.ownerReferences?.[0]?.kind === "Installation"
        ? [Buffer.from(data?.["config"] ?? "", "base64").toString()]
        : [],
    );
    expect(states.toSorted()).toEqual([
      '{"first":"hello one in version v1.2.3"}',
      '{"first":"one"}',
      '{"first":"sub-one"}',
    ]);
  });

  /** What fails, and what its message must name. */
  const failures: readonly (readonly [string, UnstructuredObject, readonly string[]])[] = [
    [
      "an import execution",
      badInstallation({ importExecutions: spiff("bindings:\n  a: (( imports.secret + 1 ))\n") }),
      [
        'import template execution "default"',
        "(( imports.secret + 1 ))",
        "bindings.a",
        "template source:",
        "2:      a: ((",
        "ˆ≈≈",
      ],
    ],
    [
      "a deploy execution",
      badInstallation({ deployExecutions: spiff({ deployItems: [{ name: "(( error(imports.secret) ))" }] }) }),
      ['deploy template execution "default"', "deployItems.[0].name", "template source:", "2:    - name:", "ˆ≈≈"],
    ],
    [
      "an export execution",
      badInstallation(
        {
          exports: [dataParameter("result", text)],
          deployExecutions: deployItems(mockItem("item")),
          exportExecutions: spiff({ exports: { result: "(( integer(imports.secret) ))" } }),
        },
        { exports: { data: [{ name: "result", dataRef: "result" }] } },
      ),
      ['export template execution "default"', "exports.result", "template source:", "ˆ≈≈"],
    ],
    [
      "a data mapping",
      withMapping(badInstallation({ deployExecutions: deployItems(mockItem("item")) }), {
        other: ["(( secret.deep ))"],
      }),
      ["importDataMappings.other", "(( secret.deep ))", "template source:", "1:    - (( secret.deep ))", "ˆ≈≈"],
    ],
  ];

  it.each(failures)("names the place in %s that fails, and nothing of the values", async (_, installation, names) => {
    const sentinel = createSentinel();
    const scope = await environment.namespace("spiff-error");
    await scope.apply(sentinelSecret(sentinel), scope.target("target"), installation);
    const failed = await scope.waitForPhase("root", "Failed");
    const message = failed.status?.lastError?.message ?? "";
    expect({ message, missing: names.filter((name) => !message.includes(name)) }).toEqual({ message, missing: [] });
    const texts = [...(await collectVisibleTexts(environment, scope)), ...(tap?.texts ?? [])];
    expect(findLeaks(texts, sentinel.findIn)).toEqual([]);
  });
});

function withMapping(
  installation: UnstructuredObject,
  importDataMappings: Readonly<Record<string, unknown>>,
): UnstructuredObject {
  return { ...installation, spec: { ...Object(installation["spec"]), importDataMappings } };
}
