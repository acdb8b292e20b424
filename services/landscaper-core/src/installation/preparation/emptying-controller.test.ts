// Jobs that would leave nothing where there was something.
import { describe, expect, it } from "@jest/globals";
import { annotations, resources, type Installation } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import {
  deployItems,
  installation,
  stringParameter,
  template,
  trigger,
  type TestBlueprint,
} from "../../../test/objects.ts";
import { setUpCore } from "../../../test/set-up.ts";

const setUp = setUpCore();

const items = (...names: readonly string[]): TestBlueprint => ({
  deploy: deployItems(...names.map((name) => ({ name }))),
});
const subinstallations = (...names: readonly string[]): TestBlueprint => ({
  subinstallations: names.map((name) => template({ name, blueprint: items(`item-of-${name}`) })),
});
const allowEmpty = { [annotations.allowEmpty]: "true" };

async function create(name: string, blueprint: TestBlueprint): Promise<TestNamespace> {
  const namespace = await setUp.namespace(name);
  await namespace.create(resources.installation, installation({ name: "root", blueprint }));
  await namespace.untilPhase("root", "Succeeded");
  return namespace;
}

/** Another job, with another blueprint. */
async function change(namespace: TestNamespace, blueprint: TestBlueprint, more: object = {}): Promise<void> {
  const { status: _, ...found } = await namespace.get(resources.installation, "root");
  const { spec } = installation({ name: "root", blueprint });
  const metadata = { ...found.metadata, annotations: { ...trigger, ...more } };
  await namespace.client.update(resources.installation, { ...found, metadata, spec: { ...spec, context: "default" } });
}

const errorOf = ({ status }: Installation): unknown => [
  status?.lastError?.reason,
  status?.lastError?.message?.split(/; to (?:keep|remove) /)[0],
];
const wouldLeave = (what: string): unknown => ["EmptyingHeldBack", `the job would leave ${what}`];

/** Names and generations of everything below the Installation. */
async function snapshot(namespace: TestNamespace): Promise<unknown> {
  const lists = await Promise.all([
    namespace.list(resources.installation),
    namespace.list(resources.execution),
    namespace.list(resources.deployItem),
  ]);
  const below = lists.flat().filter(({ kind, metadata }) => kind !== "Installation" || metadata.name !== "root");
  return below.map(({ kind, metadata }) => [kind, metadata.name, metadata.generation, metadata.deletionTimestamp]);
}

describe("a job that would leave nothing where there was something", () => {
  it.each([
    ["items", items("a", "b"), {}, "no deploy item: it would remove a, b"],
    [
      "items beside subinstallations",
      { ...items("a"), ...subinstallations("s") },
      subinstallations("s"),
      "no deploy item: it would remove a",
    ],
    ["subinstallations", subinstallations("s", "t"), {}, "no subinstallation: it would remove s, t"],
    [
      "subinstallations beside items",
      { ...items("a"), ...subinstallations("s") },
      items("a", "b"),
      "no subinstallation: it would remove s",
    ],
  ] as const)("fails before it touches anything: %s", async (...[name, before, after, what]) => {
    const namespace = await create(`held-${name.replaceAll(" ", "-")}`, before);
    const was = await snapshot(namespace);
    await change(namespace, after);
    expect(errorOf(await namespace.untilPhase("root", "Failed"))).toEqual(wouldLeave(what));
    expect(await snapshot(namespace)).toEqual(was);
    await change(namespace, before);
    await namespace.untilPhase("root", "Succeeded");
    await change(namespace, after, allowEmpty);
    await namespace.untilPhase("root", "Succeeded");
    expect(await snapshot(namespace)).not.toEqual(was);
  });

  it("keeps what the Installation has exported", async () => {
    const namespace = await setUp.namespace("held-exports");
    const exports = { data: [{ name: "word", dataRef: "word" }] };
    const blueprint = {
      ...items("a"),
      exports: [stringParameter("word")],
      export: "exports: { word: kept }\n",
    };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, exports }));
    await namespace.untilPhase("root", "Succeeded");
    const before = await namespace.get(resources.dataObject, "word");
    const { deploy: _, ...empty } = blueprint;
    const { status: _status, ...found } = await namespace.get(resources.installation, "root");
    const { spec } = installation({ name: "root", blueprint: empty, exports });
    const metadata = { ...found.metadata, annotations: trigger };
    await namespace.client.update(resources.installation, { ...found, metadata, spec });
    await namespace.untilPhase("root", "Failed");
    expect((await namespace.get(resources.dataObject, "word")).metadata.uid).toBe(before.metadata.uid);
  });

  it("is held back below an Installation as well, which passes the permission down", async () => {
    const nested = (blueprint: TestBlueprint): TestBlueprint => ({
      subinstallations: [template({ name: "s", blueprint })],
    });
    const namespace = await create("held-nested", nested(items("a")));
    await change(namespace, nested({}));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain('subinstallation "s"');
    expect(failed.status?.lastError?.message).toContain("the job would leave no deploy item: it would remove a");
    await change(namespace, nested({}), allowEmpty);
    await namespace.untilPhase("root", "Succeeded");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });
});

describe("a job that replaces what there was", () => {
  it.each([
    ["items-by-others", items("a"), items("b")],
    ["subinstallations-by-others", subinstallations("s"), subinstallations("t")],
    ["items-by-subinstallations", items("a"), subinstallations("s")],
    ["subinstallations-by-items", subinstallations("s"), items("a")],
  ])("is not held back: %s", async (name, before, after) => {
    const namespace = await create(name, before);
    await change(namespace, after);
    await namespace.untilPhase("root", "Succeeded");
  });
});

it("a misspelt field of a blueprint uninstalls nothing", async () => {
  const namespace = await create("misspelt", items("a"));
  const { deploy: template = "" } = items("a");
  const misspelt = { deployExecution: [{ name: "default", type: "GoTemplate", template }] };
  await change(namespace, misspelt as TestBlueprint);
  const failed = await namespace.untilPhase("root", "Failed");
  expect(errorOf(failed)).toEqual(wouldLeave("no deploy item: it would remove a"));
  expect((await namespace.list(resources.deployItem)).length).toBe(1);
});

it("the deletion of an Installation is not held back", async () => {
  const namespace = await create("deleted", { ...items("a"), ...subinstallations("s") });
  await namespace.delete(resources.installation, "root");
  await namespace.untilGone(resources.installation, "root");
});
