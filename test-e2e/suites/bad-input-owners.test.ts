import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { KubeObject, ResourceType, UnstructuredObject } from "@landscaper/api";
import { apiVersion, childName, generateDataName, resources, scopeOfInstallation } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  mockItem,
} from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { subInstallations, subInstallationTemplate } from "../src/installations/sub-installations.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const type = "landscaper.gardener.cloud/mock";
const leaf = {
  blueprint: {
    exports: [dataParameter("word", { type: "string" }), { name: "place", type: "target", targetType: type }],
    exportExecutions: goTemplate(`exports: { word: ours, place: { type: ${type}, config: { whose: ours } } }\n`),
  },
  exports: { data: [{ name: "word", dataRef: "shared" }], targets: [{ name: "place", target: "shared" }] },
};

/** An Installation of another owner; it has no job. */
const bystander = inlineInstallation({ name: "bystander", blueprint: {}, triggered: false });

interface Occupied {
  readonly name: string;
  /** What stands under the name of an export, without its owner. */
  readonly object: (name: string) => UnstructuredObject;
  readonly type: ResourceType;
  readonly kind: string;
}

const occupied: readonly Occupied[] = [
  {
    name: "a DataObject",
    object: (name) => ({ apiVersion, kind: "DataObject", metadata: { name }, data: "theirs" }),
    type: resources.dataObject,
    kind: "DataObject",
  },
  {
    name: "a Target",
    object: (name) => ({ apiVersion, kind: "Target", metadata: { name }, spec: { type, config: { whose: "theirs" } } }),
    type: resources.target,
    kind: "Target",
  },
];

describe.each(clustersUnderTest())("exports under a name of somebody else on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
  });
  afterAll(async () => environment.stop());

  /** The object as the bystander's. */
  async function occupy(scope: TestNamespace, object: UnstructuredObject): Promise<void> {
    await scope.apply(bystander);
    const { metadata } = await scope.get(resources.installation, "bystander");
    const owner = { apiVersion, kind: "Installation", name: "bystander", uid: metadata.uid ?? "" };
    await scope.apply({ ...object, metadata: { ...object.metadata, ownerReferences: [owner] } });
  }

  /** What is in a DataObject or a Target. */
  const contentOf = (object: KubeObject | undefined): unknown => {
    const { data, spec } = (object ?? {}) as { data?: unknown; spec?: { config?: unknown } };
    return data ?? spec?.config;
  };
  const theirs = (kind: string): unknown => (kind === "DataObject" ? "theirs" : { whose: "theirs" });
  const ours = (kind: string): unknown => (kind === "DataObject" ? "ours" : { whose: "ours" });

  it.each(occupied)("$name fail the job of a root, overwrite nothing, and come when it is gone", async (given) => {
    const scope = await environment.namespace("occupied");
    await occupy(scope, given.object("shared"));
    await scope.apply(inlineInstallation({ name: "root", ...leaf }));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain(
      `export to "shared": ${given.kind} "shared" belongs to installation "bystander" already`,
    );
    expect(contentOf(await scope.find(given.type, "shared"))).toEqual(theirs(given.kind));

    await scope.delete(given.type, "shared");
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    expect(contentOf(await scope.find(given.type, "shared"))).toEqual(ours(given.kind));
  });

  it.each(occupied)("$name fail a leaf with a message that the root has, too", async (given) => {
    const scope = await environment.namespace("occupied-leaf");
    const name = generateDataName(scopeOfInstallation("root"), "shared");
    await occupy(scope, given.object(name));
    const root = inlineInstallation({
      name: "root",
      blueprint: { subinstallations: [subInstallationTemplate({ name: "leaf", ...leaf })] },
    });
    await scope.apply(root);
    const failed = await scope.waitForPhase("root", "Failed");
    const told = (await subInstallations(scope, "root")).get("leaf")?.status?.lastError?.message ?? "";
    expect(told).toContain(`export to "shared": ${given.kind} "${name}" belongs to installation "bystander" already`);
    expect(failed.status?.lastError?.message).toBe(`subinstallation "leaf": ${told}`);
    expect(contentOf(await scope.find(given.type, name))).toEqual(theirs(given.kind));

    await scope.delete(given.type, name);
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    expect(contentOf(await scope.find(given.type, name))).toEqual(ours(given.kind));
  });

  it.each(occupied)("$name that belongs to no Installation are taken over (core.md §4.46)", async (given) => {
    const scope = await environment.namespace("taken-over");
    await scope.apply(given.object("shared"), inlineInstallation({ name: "root", ...leaf }));
    await scope.waitForPhase("root", "Succeeded");
    expect(contentOf(await scope.find(given.type, "shared"))).toEqual(ours(given.kind));
  });

  it("that a sub-installation shares with an import of its parent fail it, and the root says so", async () => {
    const scope = await environment.namespace("import-and-export");
    const parent = (name: string): UnstructuredObject =>
      inlineInstallation({
        name: "root",
        blueprint: {
          imports: [dataParameter(name, { type: "string" })],
          subinstallations: [subInstallationTemplate({ name: "leaf", ...leaf })],
        },
        imports: { data: [{ name, dataRef: "word" }] },
      });
    await scope.apply({ apiVersion, kind: "DataObject", metadata: { name: "word" }, data: "x" }, parent("shared"));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toMatch(
      /^subinstallation "leaf": export to "shared": DataObject "\w+" belongs to installation "root" already/,
    );

    await scope.apply(parent("other"));
    await scope.waitForPhase("root", "Succeeded");
  });

  it("of two roots fail those that import them, and name both, until one stops", async () => {
    const scope = await environment.namespace("two-exporters");
    const exporter = (name: string, dataRef: string): UnstructuredObject =>
      inlineInstallation({
        name,
        blueprint: {
          exports: [dataParameter("word", { type: "string" })],
          exportExecutions: goTemplate("exports: { word: x }\n"),
        },
        exports: { data: [{ name: "word", dataRef }] },
      });
    const importer = inlineInstallation({
      name: "importer",
      blueprint: { imports: [dataParameter("word", { type: "string" })] },
      imports: { data: [{ name: "word", dataRef: "shared" }] },
    });
    await scope.apply(exporter("first", "shared"));
    await scope.waitForPhase("first", "Succeeded");
    await scope.apply(exporter("second", "shared"));
    const second = await scope.waitForPhase("second", "Failed");
    expect(second.status?.lastError?.message).toContain('belongs to installation "first" already');
    await scope.apply(importer);
    const failed = await scope.waitForPhase("importer", "Failed");
    expect(failed.status?.lastError?.message).toContain(
      'data object "shared" is exported by first and second; expected one exporter',
    );

    await scope.apply(exporter("second", "alone"));
    await scope.waitForPhase("second", "Succeeded");
    await scope.trigger("importer");
    await scope.waitForPhase("importer", "Succeeded");
  });

  it("of roots in a ring fail them with the ring, and work when it is open", async () => {
    const scope = await environment.namespace("ring-of-roots");
    const link = (name: string, from: string | undefined): UnstructuredObject =>
      inlineInstallation({
        name,
        blueprint: {
          imports: from === undefined ? [] : [dataParameter("before", { type: "string" })],
          exports: [dataParameter("word", { type: "string" })],
          exportExecutions: goTemplate("exports: { word: x }\n"),
        },
        imports: from === undefined ? {} : { data: [{ name: "before", dataRef: `of-${from}` }] },
        exports: { data: [{ name: "word", dataRef: `of-${name}` }] },
        triggered: false,
      });
    await scope.apply(link("one", "two"), link("two", "one"));
    await scope.trigger("one");
    const failed = await scope.waitForPhase("one", "Failed");
    expect(failed.status?.lastError?.message).toMatch(/(one => two => one|two => one => two)/);
    expect(failed.status?.lastError?.codes).toContain("ERR_CYCLIC_DEPENDENCIES");

    await scope.apply(link("two", undefined));
    await scope.trigger("two");
    await scope.waitForPhase("two", "Succeeded");
    await scope.trigger("one");
    await scope.waitForPhase("one", "Succeeded");
  });
});

describe.each(clustersUnderTest())("sub-objects whose name somebody else has on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
  });
  afterAll(async () => environment.stop());

  const withItem = (item: string): UnstructuredObject =>
    inlineInstallation({
      name: "root",
      blueprint: { deployExecutions: deployItems(mockItem(item)) },
      triggered: false,
    });

  interface Taken {
    readonly name: string;
    /** Prepares everything but the trigger, and gives what stands in the way. */
    readonly occupy: (scope: TestNamespace) => Promise<readonly [type: ResourceType, name: string]>;
    readonly message: (name: string) => string;
  }

  const taken: readonly Taken[] = [
    {
      name: "an Execution",
      occupy: async (scope) => {
        await scope.apply({ apiVersion, kind: "Execution", metadata: { name: "root" }, spec: {} }, withItem("item"));
        return [resources.execution, "root"];
      },
      message: (name) => `execution ${name} exists and has another owner`,
    },
    {
      name: "a sub-installation",
      occupy: async (scope) => {
        const blueprint = { subinstallations: [subInstallationTemplate({ name: "leaf", ...leaf })] };
        await scope.apply(inlineInstallation({ name: "root", blueprint, triggered: false }));
        const { metadata } = await scope.get(resources.installation, "root");
        const name = childName("leaf-", metadata.uid ?? "", "leaf");
        await scope.apply(inlineInstallation({ name, blueprint: {}, triggered: false }));
        return [resources.installation, name];
      },
      message: (name) => `subinstallation ${name}: an installation of this name exists and has another owner`,
    },
    {
      name: "a deploy item",
      occupy: async (scope) => {
        await scope.apply(withItem("first"));
        await scope.trigger("root");
        await scope.waitForPhase("root", "Succeeded");
        const name = childName("root-second-", (await scope.execution("root")).metadata.uid ?? "", "second");
        const spec = { type: "example.com/theirs" };
        await scope.apply({ apiVersion, kind: "DeployItem", metadata: { name }, spec }, withItem("second"));
        return [resources.deployItem, name];
      },
      message: (name) => `deploy item ${name}: an object of this name exists and has another owner`,
    },
  ];

  it.each(taken)("$name is not taken over: the job fails, and succeeds when it is gone", async (given) => {
    const scope = await environment.namespace("taken");
    const [type, name] = await given.occupy(scope);
    const before = await scope.get(type, name);
    await scope.trigger("root");
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain(given.message(name));
    const after = await scope.get(type, name);
    expect([after.metadata.uid, after.metadata.generation]).toEqual([before.metadata.uid, before.metadata.generation]);

    await scope.delete(type, name);
    await releaseExecution(scope, type, name);
    await scope.untilGone(type, name);
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
  });

  /** An Execution has our finalizer, and without an Installation nobody starts the job that would take it off. */
  async function releaseExecution(scope: TestNamespace, type: ResourceType, name: string): Promise<void> {
    if (type.kind !== "Execution") return;
    const body = { metadata: { finalizers: null } };
    await environment.client.patch(type, { namespace: scope.name, name }, { type: "merge", body });
  }
});
