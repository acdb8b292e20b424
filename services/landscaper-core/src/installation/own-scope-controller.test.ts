import { expect, describe, it } from "@jest/globals";
import { labels, resources, scopeOfInstallation, type DataObject } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import { dataObject, installation, stringParameter, trigger, type TestBlueprint } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

/** Exports what a user has put into its scope. */
const reader: TestBlueprint = {
  exports: [stringParameter("found")],
  export: 'exports: { found: {{ index .dataobjects "note" | default "nothing" }} }\n',
};
const exports = { data: [{ name: "found", dataRef: "found" }] };

async function putNote(namespace: TestNamespace): Promise<void> {
  const note = dataObject("note", "of a user");
  const own = { [labels.dataContext]: scopeOfInstallation("root"), [labels.dataKey]: "note" };
  await namespace.create(resources.dataObject, { ...note, metadata: { ...note.metadata, labels: own } });
}

async function findNote(namespace: TestNamespace): Promise<DataObject | undefined> {
  return (await namespace.list(resources.dataObject)).find(({ metadata }) => metadata.name === "note");
}

describe("objects of a user in the own scope", () => {
  it("are seen by export executions where nothing there bears a job", async () => {
    const namespace = await setUp.namespace("own-scope");
    await putNote(namespace);
    await namespace.create(resources.installation, installation({ name: "root", blueprint: reader, exports }));
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "found")).data).toBe("of a user");
    expect(await findNote(namespace)).toBeDefined();
  });

  it("are not, and are removed when the job completes, beside copies of imports", async () => {
    const namespace = await setUp.namespace("own-scope-with-copies");
    await putNote(namespace);
    await namespace.create(resources.dataObject, dataObject("name", "imported"));
    const blueprint = { ...reader, imports: [stringParameter("name")] };
    const imports = { data: [{ name: "name", dataRef: "name" }] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports, exports }));
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "found")).data).toBe("nothing");
    expect(await findNote(namespace)).toBeUndefined();
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "found")).data).toBe("nothing");
  });
});
