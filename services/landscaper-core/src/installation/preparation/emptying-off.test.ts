// `emptyProtection: off` in the configuration is the original's behaviour.
import { expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { deployItems, installation, template, trigger, type TestBlueprint } from "../../../test/objects.ts";
import { setUpCore } from "../../../test/set-up.ts";

const setUp = setUpCore({ emptyProtection: "off" });
const items: TestBlueprint = { deploy: deployItems({ name: "a" }, { name: "b" }) };

it.each<readonly [string, TestBlueprint]>([
  ["items", items],
  ["subinstallations", { subinstallations: [template({ name: "s", blueprint: items })] }],
])("without protection, a job removes all %s of an Installation", async (name, blueprint) => {
  const namespace = await setUp.namespace(`off-${name}`);
  await namespace.create(resources.installation, installation({ name: "root", blueprint }));
  const { status: _, ...found } = await namespace.untilPhase("root", "Succeeded");
  const { spec } = installation({ name: "root", blueprint: {} });
  const metadata = { ...found.metadata, annotations: trigger };
  await namespace.client.update(resources.installation, { ...found, metadata, spec: { ...spec, context: "default" } });
  await namespace.until(resources.installation, "root", (root) => root?.status?.observedGeneration === 2);
  const ended = await namespace.untilPhase("root", "Succeeded");
  expect(ended.status?.lastError).toBeUndefined();
  expect(await namespace.list(resources.deployItem)).toEqual([]);
});
