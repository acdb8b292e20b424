import { describe, expect, it } from "@jest/globals";
import { annotations, isJobOpen, labels, resources, type Installation } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import {
  dataObject,
  deployItems,
  installation,
  stringParameter,
  template,
  trigger,
  type TestBlueprint,
} from "../../../test/objects.ts";
import { setUpCore } from "../../../test/set-up.ts";

const setUp = setUpCore();

/** A subinstallation that appends its letter to the tracks before it. */
function link(name: string, ...before: readonly string[]) {
  const tracks = before.map((one) => `{{ .imports.${one} }}`).join("");
  return template({
    name,
    blueprint: {
      imports: before.map(stringParameter),
      exports: [stringParameter("track")],
      deploy: `
deployItems:
  - name: item
    type: test/item
    config: { apiVersion: test/v1, kind: Item, export: { track: "${tracks}${name.toUpperCase()}" } }
`,
      export: 'exports: { track: "{{ index .deployitems "item" "track" }}" }\n',
    },
    imports: { data: before.map((one) => ({ name: one, dataRef: `track-${one}` })) },
    exports: { data: [{ name: "track", dataRef: `track-${name}` }] },
  });
}

function chain(links: readonly ReturnType<typeof link>[], last: string): TestBlueprint {
  return {
    exports: [stringParameter("track")],
    subinstallations: links,
    export: `exports: { track: "{{ index .dataobjects "track-${last}" }}" }\n`,
  };
}

const exports = { data: [{ name: "track", dataRef: "track" }] };

async function subinstallations(namespace: TestNamespace): Promise<Map<string, Installation>> {
  const all = await namespace.list(resources.installation);
  return new Map(
    all.flatMap((one) => {
      const name = one.metadata.annotations?.[annotations.subinstallationName];
      return name === undefined ? [] : [[name, one] as const];
    }),
  );
}

async function change(namespace: TestNamespace, blueprint: TestBlueprint): Promise<void> {
  const { status: _, ...found } = await namespace.get(resources.installation, "root");
  const { spec } = installation({ name: "root", blueprint, exports });
  const metadata = { ...found.metadata, annotations: trigger };
  await namespace.client.update(resources.installation, { ...found, metadata, spec: { ...spec, context: "default" } });
}

describe("subinstallations", () => {
  it("run in the order of their data flow, whatever their order in the blueprint (core.md §5.8)", async () => {
    const namespace = await setUp.namespace("chain");
    const links = [link("d", "c"), link("a"), link("c", "b"), link("b", "a")];
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: chain(links, "d"), exports }),
    );
    const root = await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "track")).data).toBe("ABCD");
    const subs = await subinstallations(namespace);
    for (const [before, after] of [
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
    ] as const) {
      const finished = subs.get(before)?.status?.transitionTimes?.finishedTime ?? "";
      expect((subs.get(after)?.status?.transitionTimes?.initTime ?? "") >= finished).toBe(true);
    }
    expect([...subs.values()].map(({ status }) => status?.jobIDFinished)).toEqual(Array(4).fill(root.status?.jobID));
    expect(subs.get("a")?.metadata.labels).toEqual({ [labels.encompassedBy]: "root" });
    expect(subs.get("a")?.metadata.name).toMatch(/^a-[a-z2-7]{8}$/);
    expect(root.status?.installationRefs?.map(({ name }) => name).toSorted()).toEqual(["a", "b", "c", "d"]);

    await change(namespace, chain([link("d", "a", "b", "c"), link("a"), link("b"), link("c")], "d"));
    await namespace.until(resources.dataObject, "track", (found) => found?.data === "ABCD");
    await namespace.untilPhase("root", "Succeeded");
    const joined = await subinstallations(namespace);
    expect(joined.get("b")?.spec.imports).toEqual({ data: [] });
  });

  it("whose template has gone are deleted before others start; new ones are created (core.md §5.10)", async () => {
    const namespace = await setUp.namespace("orphans");
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: chain([link("a"), link("b", "a")], "b"), exports }),
    );
    await namespace.untilPhase("root", "Succeeded");
    const before = await subinstallations(namespace);

    await change(namespace, chain([link("a"), link("c", "a"), link("d", "c")], "d"));
    await namespace.until(resources.dataObject, "track", (found) => found?.data === "ACD");
    await namespace.untilPhase("root", "Succeeded");
    const after = await subinstallations(namespace);
    expect([...after.keys()].toSorted()).toEqual(["a", "c", "d"]);
    expect(after.get("a")?.metadata.uid).toBe(before.get("a")?.metadata.uid);

    await change(namespace, chain([link("a")], "a"));
    await namespace.until(resources.dataObject, "track", (found) => found?.data === "A");
    expect([...(await subinstallations(namespace)).keys()]).toEqual(["a"]);
    expect((await namespace.list(resources.deployItem)).length).toBe(1);
  });

  it("in a ring fail the parent and print it; none is created (core.md §5.9, §4.6 fixed)", async () => {
    const namespace = await setUp.namespace("ring");
    const blueprint = chain([link("a", "b"), link("b", "a")], "a");
    await namespace.create(resources.installation, installation({ name: "root", blueprint, exports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toMatch(/a => b => a|b => a => b/);
    expect(failed.status?.lastError?.codes).toContain("ERR_CYCLIC_DEPENDENCIES");
    expect(await subinstallations(namespace)).toEqual(new Map());
  });

  it("of any depth run, and a failure names its leaf all the way up (design.md §3.7)", async () => {
    const namespace = await setUp.namespace("deep");
    const leaf = template({
      name: "leaf",
      blueprint: { deploy: deployItems({ name: "bad", result: "Failed", message: "the disk is full" }) },
    });
    const middle = template({ name: "middle", blueprint: { subinstallations: [leaf] } });
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: { subinstallations: [middle] } }),
    );
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      operation: "handlePhaseProgressing",
      reason: "JobIDFinished",
      message:
        'subinstallation "middle": subinstallation "leaf": Execution is failed: deploy item "bad": the disk is full',
    });
  });

  it("names the first cause, not the siblings that it has taken along", async () => {
    const namespace = await setUp.namespace("first-cause");
    const bad = template({
      name: "z-bad",
      blueprint: {
        exports: [stringParameter("track")],
        deploy: deployItems({ name: "item", result: "Failed", message: "no quota" }),
      },
      exports: { data: [{ name: "track", dataRef: "track-bad" }] },
    });
    const blueprint = { subinstallations: [{ ...link("a", "bad") }, bad] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      'subinstallation "z-bad": Execution is failed: deploy item "item": no quota',
    );
    const subs = await subinstallations(namespace);
    expect(subs.get("a")?.status?.lastError).toMatchObject({ operation: "init", reason: "AllPredecessorsSucceeded" });
  });
});

describe("root Installations", () => {
  it("that import from another are triggered when it has succeeded (core.md §5.11)", async () => {
    const namespace = await setUp.namespace("successor");
    const producer = { exports: [stringParameter("value")], export: 'exports: { value: "one" }\n' };
    const consumer = {
      imports: [stringParameter("value")],
      exports: [stringParameter("copy")],
      export: 'exports: { copy: "{{ .imports.value }}!" }\n',
    };
    await namespace.create(
      resources.installation,
      installation({
        name: "second",
        blueprint: consumer,
        annotations: {},
        imports: { data: [{ name: "value", dataRef: "value" }] },
        exports: { data: [{ name: "copy", dataRef: "copy" }] },
      }),
    );
    await namespace.create(
      resources.installation,
      installation({ name: "first", blueprint: producer, exports: { data: [{ name: "value", dataRef: "value" }] } }),
    );
    const second = await namespace.untilPhase("second", "Succeeded");
    expect((await namespace.get(resources.dataObject, "copy")).data).toBe("one!");
    const first = await namespace.untilPhase("first", "Succeeded");
    expect(first.status?.dependentsToTrigger).toBeUndefined();

    await namespace.annotate(resources.installation, "first", trigger);
    await namespace.until(
      resources.installation,
      "second",
      (found) => found?.status?.jobIDFinished !== second.status?.jobID && !isJobOpen(found?.status),
    );
    // Both at once: the second goes first.
    await namespace.delete(resources.installation, "first");
    await namespace.delete(resources.installation, "second");
    await namespace.untilGone(resources.installation, "second");
    await namespace.untilGone(resources.installation, "first");
  });

  it("wait for a predecessor that has been triggered, too", async () => {
    const namespace = await setUp.namespace("waits");
    const producer = {
      exports: [stringParameter("value")],
      deploy: deployItems({ name: "item", export: { value: "one" } }),
      export: 'exports: { value: "{{ index .deployitems "item" "value" }}" }\n',
    };
    await namespace.create(
      resources.installation,
      installation({ name: "first", blueprint: producer, exports: { data: [{ name: "value", dataRef: "value" }] } }),
    );
    await namespace.create(
      resources.installation,
      installation({
        name: "second",
        blueprint: { imports: [stringParameter("value")] },
        imports: { data: [{ name: "value", dataRef: "value" }] },
      }),
    );
    await namespace.untilPhase("second", "Succeeded");
  });

  it("that import from each other in a ring fail and print it (core.md §4.4 fixed)", async () => {
    const namespace = await setUp.namespace("root-ring");
    const blueprint = { imports: [stringParameter("in")], exports: [stringParameter("out")] };
    const of = (name: string, from: string) =>
      installation({
        name,
        blueprint,
        imports: { data: [{ name: "in", dataRef: from }] },
        exports: { data: [{ name: "out", dataRef: name }] },
      });
    await namespace.create(resources.dataObject, dataObject("x", "y"));
    await namespace.create(resources.installation, { ...of("a", "b"), metadata: { name: "a" } });
    await namespace.create(resources.installation, of("b", "a"));
    const failed = await namespace.untilPhase("b", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      "installations import from each other in a ring: b => a => b; remove one import or export of the ring",
    );
  });

  it("that import from each other both print the ring, also the one whose job failed before the other existed", async () => {
    const namespace = await setUp.namespace("late-ring");
    const blueprint = { imports: [stringParameter("in")], exports: [stringParameter("out")] };
    const of = (name: string, from: string) =>
      installation({
        name,
        blueprint,
        imports: { data: [{ name: "in", dataRef: from }] },
        exports: { data: [{ name: "out", dataRef: name }] },
      });
    await namespace.create(resources.installation, of("a", "b"));
    const missing = await namespace.untilPhase("a", "Failed");
    expect(missing.status?.lastError?.reason).toBe("ImportsSatisfied");
    await namespace.create(resources.installation, of("b", "a"));
    const ring = (name: string) =>
      namespace.until(
        resources.installation,
        name,
        (found) => found?.status?.lastError?.reason === "CyclicDependencies",
      );
    const [a, b] = await Promise.all([ring("a"), ring("b")]);
    expect(a?.status?.lastError?.message).toContain("ring: a => b => a; remove one import or export of the ring");
    expect(b?.status?.lastError?.message).toContain("ring: b => a => b; remove one import or export of the ring");
  });
});
