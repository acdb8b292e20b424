// Behaviours of core.md §4 by their numbers: what is in a scope, and who may put it there.
import { describe, expect, it } from "@jest/globals";
import { labels, resources, scopeOfInstallation } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import {
  dataObject,
  deployItems,
  installation,
  stringParameter,
  target,
  targetParameter,
  template,
  type TestBlueprint,
} from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { change, exports, finishItem, imports, producer } from "../../test/behaviours.ts";

const setUp = setUpCore();

/** Values of the DataObjects in the own scope of an Installation, by import name. */
async function dataOf(namespace: TestNamespace, name: string): Promise<Record<string, unknown>> {
  const all = await namespace.list(resources.dataObject);
  const own = all.filter(({ metadata }) => metadata.labels?.[labels.dataContext] === scopeOfInstallation(name));
  return Object.fromEntries(own.map(({ metadata, data }) => [metadata.labels?.[labels.dataKey] ?? "", data]));
}

describe("scopes (core.md §4)", () => {
  it("§4.1: exports stay while a job runs, and have the new value at its end", async () => {
    const namespace = await setUp.namespace("k1");
    const two = 'exports: { value: "two" }\n';
    const hanging = { ...producer, export: two, deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: producer, exports }));
    await namespace.untilPhase("root", "Succeeded");
    const { metadata: before } = await namespace.get(resources.dataObject, "value");
    await change(namespace, installation({ name: "root", blueprint: hanging, exports }));
    await namespace.untilWorking("root");
    expect((await namespace.get(resources.dataObject, "value")).data).toBe("one");
    await finishItem(namespace);
    await namespace.untilPhase("root", "Succeeded");
    const after = await namespace.get(resources.dataObject, "value");
    expect({ uid: after.metadata.uid, data: after.data }).toEqual({ uid: before.uid, data: "two" });
  });

  it("§4.1: an export under a name that is no longer listed goes when the job begins", async () => {
    const namespace = await setUp.namespace("k1-renamed");
    const hanging = { ...producer, deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: producer, exports }));
    await namespace.untilPhase("root", "Succeeded");
    const renamed = { data: [{ name: "value", dataRef: "other" }] };
    await change(namespace, installation({ name: "root", blueprint: hanging, exports: renamed }));
    await namespace.untilWorking("root");
    await finishItem(namespace);
    expect(await namespace.find(resources.dataObject, "value")).toBeUndefined();
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "other")).data).toBe("one");
  });

  it("§4.1: exports go when a job fails in its middle", async () => {
    const namespace = await setUp.namespace("k1-fails-late");
    const failing = { ...producer, deploy: deployItems({ name: "item", result: "Failed" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: producer, exports }));
    await namespace.untilPhase("root", "Succeeded");
    await change(namespace, installation({ name: "root", blueprint: failing, exports }));
    await namespace.untilPhase("root", "Failed");
    expect(await namespace.find(resources.dataObject, "value")).toBeUndefined();
  });

  it("§4.1: exports stay away after a job that fails at its start", async () => {
    const namespace = await setUp.namespace("k1-fails");
    await namespace.create(resources.installation, installation({ name: "root", blueprint: producer, exports }));
    await namespace.untilPhase("root", "Succeeded");
    const missing = { data: [{ name: "missing", dataRef: "missing" }] };
    await change(namespace, installation({ name: "root", blueprint: producer, imports: missing, exports }));
    await namespace.untilPhase("root", "Failed");
    expect(await namespace.find(resources.dataObject, "value")).toBeUndefined();
  });

  it("§4.8: a name with # is taken verbatim, out of any scope", async () => {
    const namespace = await setUp.namespace("n8");
    await namespace.create(resources.dataObject, dataObject("value", "global"));
    const consumer: TestBlueprint = {
      imports: [stringParameter("in")],
      exports: [stringParameter("out")],
      export: 'exports: { out: "{{ .imports.in }}" }\n',
    };
    await namespace.create(
      resources.installation,
      installation({
        name: "root",
        blueprint: consumer,
        imports: { data: [{ name: "in", dataRef: "#value" }] },
        exports: { data: [{ name: "out", dataRef: "copy" }] },
      }),
    );
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "copy")).data).toBe("global");
  });

  it("§4.14: an item's Target is the imported one, not the copy", async () => {
    const namespace = await setUp.namespace("k14");
    await namespace.create(resources.target, target("mine"));
    const blueprint = {
      imports: [targetParameter("cluster")],
      deploy: deployItems({ name: "item", target: { import: "cluster" } }),
    };
    const targets = [{ name: "cluster", target: "mine" }];
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports: { targets } }));
    await namespace.untilPhase("root", "Succeeded");
    const [item] = await namespace.list(resources.deployItem);
    expect(item?.spec.target).toEqual({ name: "mine", namespace: "k14" });
  });

  it("§4.15: copies of imports hold mapped values; the user's labels stay on single targets only", async () => {
    const namespace = await setUp.namespace("k15");
    await namespace.create(resources.dataObject, dataObject("value", "x"));
    const mine = target("mine");
    await namespace.create(resources.target, { ...mine, metadata: { name: "mine", labels: { mine: "yes" } } });
    const blueprint = {
      imports: [
        stringParameter("value"),
        { ...stringParameter("unset"), required: false, default: { value: "d" } },
        targetParameter("single"),
        { name: "map", type: "targetMap", targetType: "mock" },
        { name: "list", type: "targetList", targetType: "mock" },
      ],
    };
    const targets = [
      { name: "single", target: "mine" },
      { name: "map", targetMap: { red: "mine" } },
      { name: "list", targets: ["mine"] },
    ];
    const importDataMappings = { value: '(( value "!" ))' };
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint, imports: { ...imports, targets }, importDataMappings }),
    );
    await namespace.untilPhase("root", "Succeeded");
    expect(await dataOf(namespace, "root")).toEqual({ value: "x!", unset: "d" });
    const copies = (await namespace.list(resources.target)).filter(({ metadata }) => metadata.name !== "mine");
    const marks = copies.map(({ metadata }) => [metadata.labels?.[labels.dataKey], metadata.labels?.["mine"]]);
    expect(Object.fromEntries(marks)).toEqual({ single: "yes", map: undefined, list: undefined });
  });

  it("§4.16: what import executions replace is what children see; what they add is nowhere", async () => {
    const namespace = await setUp.namespace("k16");
    await namespace.create(resources.dataObject, dataObject("value", "x"));
    const child = template({ name: "child", blueprint: { imports: [stringParameter("value")] }, imports });
    const blueprint: TestBlueprint = {
      imports: [stringParameter("value")],
      importExecutions: [
        { name: "default", type: "GoTemplate", template: "bindings: { value: replaced, added: 5 }\n" },
      ],
      subinstallations: [child],
    };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    const root = await namespace.untilPhase("root", "Succeeded");
    expect(await dataOf(namespace, "root")).toEqual({ value: "replaced" });
    const ref = root.status?.installationRefs?.[0]?.ref?.name ?? "";
    expect(await dataOf(namespace, ref)).toEqual({ value: "replaced" });
  });

  it("§4.20: an import that is listed has to be there, though the blueprint does not know it", async () => {
    const namespace = await setUp.namespace("k20");
    await namespace.create(resources.installation, installation({ name: "root", blueprint: {}, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.reason).toBe("ImportsSatisfied");
  });

  it.each([
    ["map", "targetMapRef", { targetMap: { red: "mine" } }],
    ["list", "targetListRef", { targets: ["mine"] }],
  ])("§4.25: elements of a target %s that an earlier job has left are not passed on", async (...given) => {
    const [kind, reference, source] = given;
    const namespace = await setUp.namespace(`k25-${kind}`);
    await namespace.create(resources.target, target("mine"));
    const scope = scopeOfInstallation("root");
    const labelsOf = (jobID: string) => ({
      [labels.dataContext]: scope,
      [labels.dataKey]: "clusters",
      [labels.dataSource]: scope,
      [labels.dataSourceType]: "import",
      [labels.dataJobId]: jobID,
      [kind === "map" ? labels.dataTargetMapKey : labels.dataIndex]: kind === "map" ? "stale" : "1",
    });
    const stale = target("stale");
    await namespace.create(resources.target, { ...stale, metadata: { name: "stale", labels: labelsOf("earlier") } });
    const parameter = { name: "clusters", type: kind === "map" ? "targetMap" : "targetList", targetType: "mock" };
    const child = template({
      name: "child",
      blueprint: {
        imports: [parameter],
        exports: [{ name: "count", schema: { type: "integer" } }],
        export: "exports: { count: {{ len .imports.clusters }} }\n",
      },
      imports: { targets: [{ name: "clusters", [reference]: "clusters" }] },
      exports: { data: [{ name: "count", dataRef: "count" }] },
    });
    const blueprint: TestBlueprint = {
      imports: [parameter],
      subinstallations: [child],
      exports: [{ name: "count", schema: { type: "integer" } }],
      export: "exports: { count: {{ .dataobjects.count }} }\n",
    };
    await namespace.create(
      resources.installation,
      installation({
        name: "root",
        blueprint,
        imports: { targets: [{ name: "clusters", ...source }] },
        exports: { data: [{ name: "count", dataRef: "count" }] },
      }),
    );
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "count")).data).toBe(1);
  });

  it("§4.26: objects of an earlier job leave the scope when the job completes, not before", async () => {
    const namespace = await setUp.namespace("k26");
    await namespace.create(resources.dataObject, dataObject("value", "x"));
    await namespace.create(resources.dataObject, dataObject("other", "y"));
    const of = (...names: string[]) =>
      installation({
        name: "root",
        blueprint: { imports: names.map(stringParameter) },
        imports: { data: names.map((name) => ({ name, dataRef: name })) },
      });
    await namespace.create(resources.installation, of("value", "other"));
    await namespace.untilPhase("root", "Succeeded");
    expect(await dataOf(namespace, "root")).toEqual({ value: "x", other: "y" });
    const deploy = deployItems({ name: "item", result: "Hang" });
    const fewer = installation({ name: "root", blueprint: { imports: [stringParameter("value")], deploy }, imports });
    await change(namespace, fewer);
    await namespace.untilWorking("root");
    expect(await dataOf(namespace, "root")).toEqual({ value: "x", other: "y" });
    await finishItem(namespace);
    await namespace.untilPhase("root", "Succeeded");
    expect(await dataOf(namespace, "root")).toEqual({ value: "x" });
  });

  it("§4.26: objects of a scope that no job has made stay in it", async () => {
    const namespace = await setUp.namespace("k26-foreign");
    const foreign = dataObject("foreign", "y");
    const own = { [labels.dataContext]: scopeOfInstallation("root"), [labels.dataKey]: "foreign" };
    await namespace.create(resources.dataObject, { ...foreign, metadata: { name: "foreign", labels: own } });
    await namespace.create(resources.installation, installation({ name: "root", blueprint: {} }));
    await namespace.untilPhase("root", "Succeeded");
    expect(await dataOf(namespace, "root")).toEqual({ foreign: "y" });
  });
});
