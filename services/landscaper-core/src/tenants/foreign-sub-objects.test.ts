// The names of sub-objects can be known in advance: what has such a name and belongs to something else is not taken over.
import { describe, expect, it } from "@jest/globals";
import { apiVersion, childName, resources } from "@landscaper/api";
import { deployItemName } from "../execution/identify-deploy-items.ts";
import { deployItems, installation, template, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

describe("an object with the name of a sub-object", () => {
  it("is no Execution of the Installation", async () => {
    const namespace = await setUp.namespace("foreign-execution");
    const spec = { context: "kept" };
    await namespace.create(resources.execution, { apiVersion, kind: "Execution", metadata: { name: "root" }, spec });
    const blueprint = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain("execution root exists and has another owner");
    expect((await namespace.get(resources.execution, "root")).spec).toEqual(spec);
  });

  it("is no subinstallation", async () => {
    const namespace = await setUp.namespace("foreign-installation");
    const child = template({ name: "child", blueprint: { deploy: deployItems({ name: "item" }) } });
    const blueprint = { subinstallations: [child] };
    const root = await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint, annotations: {} }),
    );
    const name = childName("child-", root.metadata.uid ?? "", "child");
    const foreign = installation({ name, blueprint: {}, annotations: {} });
    await namespace.create(resources.installation, foreign);
    await namespace.annotate(resources.installation, "root", trigger);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain(
      `subinstallation ${name}: an installation of this name exists and has another owner`,
    );
    expect((await namespace.get(resources.installation, name)).spec.blueprint).toEqual(foreign.spec.blueprint);
  });

  it("is no deploy item of the Execution", async () => {
    const namespace = await setUp.namespace("foreign-item");
    const first = { deploy: deployItems({ name: "first" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: first }));
    const done = await namespace.untilPhase("root", "Succeeded");
    const name = deployItemName(await namespace.get(resources.execution, "root"), "second");
    const spec = { type: "test/other" };
    await namespace.create(resources.deployItem, { apiVersion, kind: "DeployItem", metadata: { name }, spec });
    const both = installation({
      name: "root",
      blueprint: { deploy: deployItems({ name: "first" }, { name: "second" }) },
    });
    const metadata = { ...done.metadata, annotations: { ...done.metadata.annotations, ...trigger } };
    await namespace.client.update(resources.installation, { ...done, metadata, spec: { ...done.spec, ...both.spec } });
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain(
      `deploy item ${name}: an object of this name exists and has another owner`,
    );
    const execution = await namespace.get(resources.execution, "root");
    expect(execution.status?.lastError?.reason).toBe("DeployItemConflict");
    expect((await namespace.get(resources.deployItem, name)).spec).toMatchObject(spec);
  });
});
