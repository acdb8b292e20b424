// Copies of imports where nothing but the export executions reads them (ADR 29).
import { describe, expect, it } from "@jest/globals";
import { annotations, labels, resources, scopeOfInstallation, type KubeObject } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import {
  dataObject,
  installation,
  stringParameter,
  target,
  targetParameter,
  template,
  trigger,
  type TestBlueprint,
} from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { change } from "../../test/behaviours.ts";

const setUp = setUpCore();

/** Exports what export executions see of the own scope. */
const leaf: TestBlueprint = {
  imports: [stringParameter("value"), targetParameter("cluster")],
  exports: [stringParameter("seen")],
  export: 'exports: { seen: "{{ .dataobjects.value }} on {{ .targets.cluster.spec.config.of }}" }\n',
};
const leafImports = {
  data: [{ name: "value", dataRef: "value" }],
  targets: [{ name: "cluster", target: "cluster" }],
};
const exports = { data: [{ name: "seen", dataRef: "seen" }] };

async function createLeaf(namespace: TestNamespace): Promise<void> {
  await namespace.create(resources.target, target("cluster", { of: "one" }));
  await namespace.create(resources.dataObject, dataObject("value", "x"));
  await namespace.create(
    resources.installation,
    installation({ name: "root", blueprint: leaf, imports: leafImports, exports }),
  );
  await namespace.untilPhase("root", "Succeeded");
}

function ownOf<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return objects.filter(({ metadata }) => metadata.labels?.[labels.dataContext] === scopeOfInstallation("root"));
}

/** Versions of the copies by import name. */
async function versionsOf(namespace: TestNamespace): Promise<Record<string, string | undefined>> {
  const all = [
    ...ownOf<KubeObject>(await namespace.list(resources.dataObject)),
    ...ownOf(await namespace.list(resources.target)),
  ];
  return Object.fromEntries(
    all.map(({ metadata }) => [metadata.labels?.[labels.dataKey] ?? "", metadata.resourceVersion]),
  );
}

async function run(namespace: TestNamespace): Promise<void> {
  await namespace.annotate(resources.installation, "root", trigger);
  await namespace.untilPhase("root", "Succeeded");
}

const seenBy = async (namespace: TestNamespace): Promise<unknown> =>
  (await namespace.get(resources.dataObject, "seen")).data;

describe("copies of the imports of an Installation without subinstallations", () => {
  it("are not written by a job that changes nothing, and export executions see them", async () => {
    const namespace = await setUp.namespace("copies-same");
    await createLeaf(namespace);
    const before = await versionsOf(namespace);
    await run(namespace);
    await run(namespace);
    expect(await versionsOf(namespace)).toEqual(before);
    expect(await seenBy(namespace)).toBe("x on one");
  });

  it("are written where the import has changed, and only there", async () => {
    const namespace = await setUp.namespace("copies-changed");
    await createLeaf(namespace);
    const before = await versionsOf(namespace);
    const value = await namespace.get(resources.dataObject, "value");
    await namespace.client.update(resources.dataObject, { ...value, data: "y" });
    await run(namespace);
    const after = await versionsOf(namespace);
    expect(after["cluster"]).toBe(before["cluster"]);
    expect(after["value"]).not.toBe(before["value"]);
    expect(await seenBy(namespace)).toBe("y on one");
  });

  it("are written again when somebody has changed or deleted them", async () => {
    const namespace = await setUp.namespace("copies-touched");
    await createLeaf(namespace);
    const [copy] = ownOf(await namespace.list(resources.dataObject));
    const [targetCopy] = ownOf(await namespace.list(resources.target));
    if (copy === undefined || targetCopy === undefined) throw new Error("the copies are not there");
    await namespace.client.update(resources.dataObject, { ...copy, data: "somebody's" });
    await namespace.delete(resources.target, targetCopy.metadata.name ?? "");
    await run(namespace);
    expect(await seenBy(namespace)).toBe("x on one");
    expect(ownOf(await namespace.list(resources.target))).toHaveLength(1);
  });

  it("go with the import, and export executions do not see what is left of it", async () => {
    const namespace = await setUp.namespace("copies-fewer");
    await namespace.create(resources.target, target("a", { of: "a" }));
    await namespace.create(resources.target, target("b", { of: "b" }));
    // Elements of a list share a key; the last one wins.
    const blueprint: TestBlueprint = {
      imports: [{ name: "clusters", type: "targetList", targetType: "mock" }],
      exports: [stringParameter("seen")],
      export: 'exports: { seen: "{{ .targets.clusters.spec.config.of }}" }\n',
    };
    const of = (...targets: string[]) =>
      installation({ name: "root", blueprint, imports: { targets: [{ name: "clusters", targets }] }, exports });
    await namespace.create(resources.installation, of("a", "b"));
    await namespace.untilPhase("root", "Succeeded");
    await change(namespace, of("a"));
    await namespace.untilPhase("root", "Succeeded");
    expect(await seenBy(namespace)).toBe("a");
    expect(ownOf(await namespace.list(resources.target))).toHaveLength(1);
  });

  it("get the job's label as soon as there are subinstallations that select by it", async () => {
    const namespace = await setUp.namespace("copies-parent");
    await namespace.create(resources.target, target("a"));
    const parameter = { name: "clusters", type: "targetList", targetType: "mock" };
    const count = { name: "count", schema: { type: "integer" } };
    const child = template({
      name: "child",
      blueprint: {
        imports: [parameter],
        exports: [count],
        export: "exports: { count: {{ len .imports.clusters }} }\n",
      },
      imports: { targets: [{ name: "clusters", targetListRef: "clusters" }] },
      exports: { data: [{ name: "count", dataRef: "count" }] },
    });
    const of = (blueprint: TestBlueprint, more: object = {}) =>
      installation({
        name: "root",
        blueprint: { imports: [parameter], ...blueprint },
        imports: { targets: [{ name: "clusters", targets: ["a"] }] },
        ...more,
      });
    await namespace.create(resources.installation, of({}));
    await namespace.untilPhase("root", "Succeeded");
    await run(namespace);
    const withChild = {
      subinstallations: [child],
      exports: [count],
      export: "exports: { count: {{ .dataobjects.count }} }\n",
    };
    await change(namespace, of(withChild, { exports: { data: [{ name: "count", dataRef: "seen" }] } }));
    await namespace.untilPhase("root", "Succeeded");
    expect(await seenBy(namespace)).toBe(1);
    await namespace.annotate(resources.installation, "root", { [annotations.allowEmpty]: "true" });
    await change(namespace, of({}));
    await namespace.untilPhase("root", "Succeeded");
    expect(ownOf(await namespace.list(resources.dataObject))).toEqual([]);
    expect(ownOf(await namespace.list(resources.target))).toHaveLength(1);
  });
});
