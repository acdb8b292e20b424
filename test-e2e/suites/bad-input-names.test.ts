import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, Installation, UnstructuredObject } from "@landscaper/api";
import { generateDataName, kubeResources, labels, resources, scopeOfInstallation } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  manifestItem,
  mockItem,
} from "../src/installations/inline-installation.ts";
import { casesOfRun, clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { subInstallations, subInstallationTemplate } from "../src/installations/sub-installations.ts";

type Fields = Readonly<Record<string, unknown>>;

const text = { type: "string" };
/** A name of that length; names that differ in their last character only are the worst. */
const long = (length: number, last = "z"): string => `${"n".repeat(length - 1)}${last}`;

/** Names of DNS form with dots, as objects may have them. */
const longObjectName = (last: string): string => `${`${"o".repeat(62)}.`.repeat(4).slice(0, 252)}${last}`;

function configMapItem(name: string, configMap: string, namespace: string): Fields {
  return manifestItem({
    name,
    manifests: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: configMap, namespace }, data: { a: "b" } }],
    item: { target: { import: long(63, "t") } },
  });
}

/** One of two sub-installations whose names are alike, each with two items whose names are alike. */
function longChild(last: string, namespace: string): Fields {
  return subInstallationTemplate({
    name: long(52, last),
    blueprint: {
      imports: [dataParameter(long(63, "d"), text), { ...clusterImport, name: long(63, "t") }],
      exports: [dataParameter(long(63, "e"), text)],
      deployExecutions: deployItems(
        ...["x", "y"].map((item) => configMapItem(long(63, item), `${last}-${item}`, namespace)),
      ),
      exportExecutions: goTemplate(`exports: { ${long(63, "e")}: {{ index .imports "${long(63, "d")}" }}${last} }\n`),
    },
    imports: {
      data: [{ name: long(63, "d"), dataRef: long(63, "d") }],
      targets: [{ name: long(63, "t"), target: long(63, "t") }],
    },
    exports: { data: [{ name: long(63, "e"), dataRef: long(63, last) }] },
  });
}

const rootName = long(58, "r");

function longRoot(namespace: string): UnstructuredObject {
  return inlineInstallation({
    name: rootName,
    blueprint: {
      imports: [dataParameter(long(63, "d"), text), { ...clusterImport, name: long(63, "t") }],
      exports: [dataParameter(long(63, "e"), text)],
      subinstallations: [longChild("a", namespace), longChild("b", namespace)],
      exportExecutions: goTemplate(
        `exports: { ${long(63, "e")}: {{ index .dataobjects "${long(63, "a")}" }}-{{ index .dataobjects "${long(63, "b")}" }} }\n`,
      ),
    },
    imports: {
      data: [{ name: long(63, "d"), dataRef: longObjectName("d") }],
      targets: [{ name: long(63, "t"), target: longObjectName("t") }],
    },
    exports: { data: [{ name: long(63, "e"), dataRef: long(63, "f") }] },
  });
}

interface TooLong {
  readonly name: string;
  readonly bad: UnstructuredObject;
  /** What the root's message must contain. */
  readonly names: readonly string[];
}

const skipped = { "validation.landscaper.gardener.cloud/skip-validation": "true" };
const withItem = (item: Fields): UnstructuredObject =>
  inlineInstallation({ name: "root", blueprint: { deployExecutions: deployItems(item) } });
const withChild = (fields: Fields, blueprint: Fields = {}): UnstructuredObject =>
  inlineInstallation({
    name: "root",
    blueprint: {
      imports: [dataParameter("word", text)],
      subinstallations: [subInstallationTemplate({ name: "child", blueprint, ...fields })],
    },
    imports: { data: [{ name: "word", dataRef: "word" }] },
  });
const atMost63 = "must have at most 63 characters";
const legal = "must have only letters, digits, -, _ and .";
const exporting = (name: string, dataRef: string): Fields => ({
  blueprint: {
    exports: [dataParameter(name, text)],
    exportExecutions: goTemplate(`exports: { ${JSON.stringify(name)}: x }\n`),
  },
  exports: { data: [{ name, dataRef }] },
});

const tooLong: readonly TooLong[] = [
  {
    name: "a deploy item of 64 characters",
    bad: withItem(mockItem(long(64))),
    names: [`deploy item "${long(64)}"`, atMost63],
  },
  {
    name: "a deploy item with a space",
    bad: withItem(mockItem("two words")),
    names: ['deploy item "two words"', 'rename the item, for example to "two-words"'],
  },
  {
    name: "a sub-installation of 53 characters",
    bad: withChild({ name: long(53) }),
    names: [`subinstallation "${long(53)}"`, "at most 52 characters"],
  },
  {
    name: "a sub-installation in capitals",
    bad: withChild({ name: "Child" }),
    names: ['subinstallation "Child"', "lower-case letters"],
  },
  {
    name: "an import of 64 characters",
    bad: inlineInstallation({
      name: "root",
      blueprint: { imports: [dataParameter(long(64), text)] },
      imports: { data: [{ name: long(64), dataRef: "word" }] },
    }),
    names: [`import "${long(64)}"`, atMost63],
  },
  {
    name: "an import with a slash",
    bad: inlineInstallation({
      name: "root",
      blueprint: { imports: [dataParameter("a/b", text)] },
      imports: { data: [{ name: "a/b", dataRef: "word" }] },
    }),
    names: ['import "a/b"', legal],
  },
  {
    name: "an import of a sub-installation of 64 characters",
    bad: withChild(
      { imports: { data: [{ name: long(64), dataRef: "word" }] } },
      { imports: [dataParameter(long(64), text)] },
    ),
    names: ['subinstallation "child"', `import "${long(64)}"`, atMost63],
  },
  {
    name: "an export to a name of 64 characters",
    bad: inlineInstallation({ name: "root", ...(exporting("result", long(64)) as { blueprint: Fields }) }),
    names: ['spec.exports.data "result"', "dataRef", atMost63],
  },
  {
    name: "an export to a name over scopes",
    bad: inlineInstallation({ name: "root", ...(exporting("result", "#other") as { blueprint: Fields }) }),
    names: ['spec.exports.data "result"', "dataRef", legal],
  },
  {
    name: "an export of a sub-installation to a name of 64 characters",
    bad: withChild(exporting("result", long(64))),
    names: ['subinstallation "child"', 'exports.data "result"', "dataRef", atMost63],
  },
  {
    name: "a Target export to a name of 64 characters",
    bad: inlineInstallation({
      name: "root",
      blueprint: {
        exports: [{ name: "result", type: "target", targetType: "landscaper.gardener.cloud/mock" }],
        exportExecutions: goTemplate("exports: { result: { type: landscaper.gardener.cloud/mock, config: {} } }\n"),
      },
      exports: { targets: [{ name: "result", target: long(64) }] },
    }),
    names: ['spec.exports.targets "result"', "target", atMost63],
  },
  {
    name: "an import from another namespace",
    bad: inlineInstallation({
      name: "root",
      blueprint: { imports: [dataParameter("word", text)] },
      imports: { data: [{ name: "word", dataRef: "other/word" }] },
    }),
    names: ['import "word"', '"other/word"', "was not found"],
  },
  {
    name: "an import from a Secret of another namespace",
    bad: inlineInstallation({
      name: "root",
      blueprint: { imports: [dataParameter("word", text)] },
      imports: { data: [{ name: "word", secretRef: { name: "other/word", key: "a" } }] },
    }),
    names: ['import "word"', '"other/word"', "was not found"],
  },
  {
    name: "an import from a DataObject whose name is too long for any",
    bad: inlineInstallation({
      name: "root",
      blueprint: { imports: [dataParameter("word", text)] },
      imports: { data: [{ name: "word", dataRef: "w".repeat(300) }] },
    }),
    names: ['import "word"', "was not found"],
  },
  {
    name: "a Context whose name is too long for any",
    bad: inlineInstallation({ name: "root", blueprint: {}, spec: { context: "c".repeat(300) } }),
    names: ["spec.context", "was not found"],
  },
];

const good = inlineInstallation({
  name: "root",
  blueprint: { imports: [dataParameter("word", text)], deployExecutions: deployItems(mockItem("item")) },
  imports: { data: [{ name: "word", dataRef: "word" }] },
  exports: {},
  spec: { context: "default" },
});

function namesOf(objects: readonly { readonly metadata: { readonly name?: string | undefined } }[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name ?? "");
}

describe.each(clustersUnderTest())("names on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "mock-deployer"],
    });
  });
  afterAll(async () => environment.stop());

  it("at every limit work, and what is made of them differs and is short enough for labels", async () => {
    const scope = await environment.namespace("longest");
    await scope.apply(
      dataObject(longObjectName("d"), "word-"),
      scope.target(longObjectName("t")),
      longRoot(scope.targetNamespace),
    );
    await scope.waitForPhase(rootName, "Succeeded");

    const children = await subInstallations(scope, rootName);
    expect([...children.keys()].toSorted()).toEqual([long(52, "a"), long(52, "b")]);
    const items = await scope.list(resources.deployItem);
    const all: readonly (Installation | DeployItem)[] = [...children.values(), ...items];
    expect(items.map(({ metadata }) => metadata.labels?.[labels.managedName] ?? "").toSorted()).toEqual(
      ["x", "x", "y", "y"].map((last) => long(63, last)),
    );
    expect(new Set(namesOf(all)).size).toBe(6);
    expect(namesOf(all).filter((name) => name.length > 58)).toEqual([]);
    const deployed = await environment.targetClient.list(kubeResources.configMap, { namespace: scope.targetNamespace });
    expect(namesOf(deployed.items).filter((name) => /^[ab]-/.test(name))).toEqual(["a-x", "a-y", "b-x", "b-y"]);
    expect(await scope.exported(long(63, "f"))).toBe("word-a-word-b");
    const exported = generateDataName(scopeOfInstallation(rootName), long(63, "a"));
    expect(await scope.exported(exported)).toBe("word-a");

    await scope.delete(resources.installation, rootName);
    await scope.untilGone(resources.installation, rootName);
    expect(await scope.list(resources.deployItem)).toEqual([]);
  });

  it.each(casesOfRun("bad-input-names", tooLong))(
    "$name fails the job, is named, and can be mended",
    async ({ bad, names }) => {
      const scope = await environment.namespace("too-long");
      await scope.apply(dataObject("word", "hello"), bad);
      const message = (await scope.waitForPhase("root", "Failed")).status?.lastError?.message ?? "";
      expect({ message, missing: names.filter((name) => !message.includes(name)) }).toEqual({ message, missing: [] });
      expect(await scope.list(resources.deployItem)).toEqual([]);

      await scope.apply(good);
      await scope.waitForPhase("root", "Succeeded");
    },
  );

  it.each([59, 63, 253])("an Installation of %i characters is refused", async (length) => {
    const scope = await environment.namespace("refused");
    const name = "i".repeat(length);
    await expect(scope.apply(inlineInstallation({ name, blueprint: {} }))).rejects.toThrow(
      "metadata.name: must have at most 58 characters",
    );
  });

  it.each([59, 63, 253])(
    "an Installation of %i characters that admission let pass fails its job, and can be deleted",
    async (length) => {
      const scope = await environment.namespace("let-pass");
      const name = "i".repeat(length);
      const installation = inlineInstallation({
        name,
        blueprint: { imports: [dataParameter("word", text)], deployExecutions: deployItems(mockItem("item")) },
        imports: { data: [{ name: "word", dataRef: "word" }] },
      });
      const metadata = { ...installation.metadata, labels: skipped };
      await scope.apply(dataObject("word", "hello"), { ...installation, metadata });
      const failed = await scope.waitForPhase(name, "Failed");
      expect(failed.status?.lastError?.message).toContain("metadata.name: must have at most 58 characters");
      expect(await scope.list(resources.dataObject)).toHaveLength(1);

      await scope.delete(resources.installation, name);
      await scope.untilGone(resources.installation, name);
    },
  );
});
