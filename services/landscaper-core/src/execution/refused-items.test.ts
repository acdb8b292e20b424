// Executions that a client writes itself: what admission cannot read, the core refuses before it creates anything.
import { describe, expect, it } from "@jest/globals";
import { apiVersion, encodeDeployItems, resources, type DeployItemTemplate, type Execution } from "@landscaper/api";
import { itemTemplate } from "../../test/deploy-items.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

type Items = readonly DeployItemTemplate[];
const forms: readonly (readonly [string, (items: Items) => Execution["spec"]])[] = [
  ["deployItems", (items) => ({ context: "default", deployItems: [...items] })],
  ["deployItemsCompressed", (items) => ({ context: "default", deployItemsCompressed: encodeDeployItems(items) })],
];
const refused: readonly (readonly [string, Items, string])[] = [
  [
    "a ring",
    [itemTemplate("a", "b"), itemTemplate("b", "a"), itemTemplate("c")],
    "deploy items depend on each other in a ring: ",
  ],
  ["an item that depends on itself", [itemTemplate("a", "a")], "deploy items depend on each other in a ring: "],
  [
    "an unknown dependsOn",
    [itemTemplate("a"), itemTemplate("b", "none")],
    'dependsOn names "none", which is no deploy item',
  ],
  ["two items of one name", [itemTemplate("a"), itemTemplate("a")], "the name must be unique among all deploy items"],
];

describe.each(forms)("an Execution with %s", (form, specOf) => {
  it.each(refused)("is refused with %s, and has no DeployItem", async (title, items, message) => {
    const namespace = await setUp.namespace(
      `refused-${form.toLowerCase()}-${title.replaceAll(/\W/g, "").toLowerCase()}`,
    );
    const metadata = { name: "own" };
    const execution = { apiVersion, kind: "Execution", metadata, spec: specOf(items) };
    const created = await namespace.create(resources.execution, execution);
    await namespace.client.updateStatus(resources.execution, { ...created, status: { jobID: "job" } });
    const failed = await namespace.until(resources.execution, "own", (found) => found?.status?.phase === "Failed");
    expect(failed?.status?.lastError?.message).toContain(message);
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });
});
