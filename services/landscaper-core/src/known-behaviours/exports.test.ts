// Exports that stay in place while a job runs (ADR 28), where they are more than a root's DataObject.
import { describe, expect, it } from "@jest/globals";
import { generateDataName, labels, resources, scopeOfInstallation } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import { installation, stringParameter, template, trigger, type TestBlueprint } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { change, exports, producer } from "../../test/behaviours.ts";

const setUp = setUpCore();

async function run(namespace: TestNamespace): Promise<void> {
  await namespace.annotate(resources.installation, "root", trigger);
  await namespace.untilPhase("root", "Succeeded");
}

const exportsTarget = (server: string): TestBlueprint => ({
  exports: [{ name: "cluster", type: "target", targetType: "landscaper.gardener.cloud/mock" }],
  export: `
exports:
  cluster:
    type: landscaper.gardener.cloud/mock
    config: { server: ${server} }
    labels: { by: blueprint }
`,
});
const targets = { targets: [{ name: "cluster", target: "made" }] };

describe("exports that stay in place", () => {
  it("a Target that is the same is not written", async () => {
    const namespace = await setUp.namespace("exports-target");
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: exportsTarget("one"), exports: targets }),
    );
    await namespace.untilPhase("root", "Succeeded");
    const before = await namespace.get(resources.target, "made");
    await run(namespace);
    expect(await namespace.get(resources.target, "made")).toEqual(before);
    await change(namespace, installation({ name: "root", blueprint: exportsTarget("two"), exports: targets }));
    await namespace.untilPhase("root", "Succeeded");
    const after = await namespace.get(resources.target, "made");
    expect({ uid: after.metadata.uid, config: after.spec.config }).toEqual({
      uid: before.metadata.uid,
      config: { server: "two" },
    });
    expect(after.metadata.labels).toMatchObject({ by: "blueprint" });
  });

  it("what somebody has put on an exported Target goes with the next job that changes it", async () => {
    const namespace = await setUp.namespace("exports-marked");
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: exportsTarget("one"), exports: targets }),
    );
    await namespace.untilPhase("root", "Succeeded");
    const made = await namespace.get(resources.target, "made");
    const metadata = { ...made.metadata, labels: { ...made.metadata.labels, by: "somebody" } };
    await namespace.client.update(resources.target, { ...made, metadata });
    await run(namespace);
    expect((await namespace.get(resources.target, "made")).metadata.labels).toMatchObject({ by: "blueprint" });
  });

  it("one into the scope of a parent gets the job's label, for the parent selects by it", async () => {
    const namespace = await setUp.namespace("exports-nested");
    const blueprint: TestBlueprint = {
      subinstallations: [template({ name: "child", blueprint: producer, exports })],
      exports: [stringParameter("value")],
      export: 'exports: { value: "{{ .dataobjects.value }}!" }\n',
    };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, exports }));
    await namespace.untilPhase("root", "Succeeded");
    const name = generateDataName(scopeOfInstallation("root"), "value");
    const before = await namespace.get(resources.dataObject, name);
    await run(namespace);
    const root = await namespace.get(resources.installation, "root");
    const after = await namespace.get(resources.dataObject, name);
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.metadata.labels?.[labels.dataJobId]).toBe(root.status?.jobID);
    expect((await namespace.get(resources.dataObject, "value")).data).toBe("one!");
  });

  it("of two Installations that export one name, the first keeps it as long as it lists it", async () => {
    const namespace = await setUp.namespace("exports-two");
    await namespace.create(resources.installation, installation({ name: "root", blueprint: producer, exports }));
    await namespace.untilPhase("root", "Succeeded");
    const two: TestBlueprint = { ...producer, export: 'exports: { value: "two" }\n' };
    await namespace.create(resources.installation, installation({ name: "second", blueprint: two, exports }));
    const refused = await namespace.untilPhase("second", "Failed");
    expect(refused.status?.lastError?.message).toContain('belongs to installation "root" already');
    // The failure of the second withdraws only what is its own.
    expect((await namespace.get(resources.dataObject, "value")).data).toBe("one");
    const renamed = { data: [{ name: "value", dataRef: "other" }] };
    await change(namespace, installation({ name: "root", blueprint: producer, exports: renamed }));
    await namespace.untilPhase("root", "Succeeded");
    await namespace.annotate(resources.installation, "second", trigger);
    await namespace.untilPhase("second", "Succeeded");
    expect((await namespace.get(resources.dataObject, "value")).data).toBe("two");
    expect((await namespace.get(resources.dataObject, "other")).data).toBe("one");
  });
});
