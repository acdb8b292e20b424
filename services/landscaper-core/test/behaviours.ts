// What the tests of the numbered behaviours share.
import { annotations, labels, resources, type DeployItem, type Installation } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import { stringParameter, trigger, type TestBlueprint } from "./objects.ts";

/** Exports a constant as `value`. */
export const producer: TestBlueprint = { exports: [stringParameter("value")], export: 'exports: { value: "one" }\n' };
export const exports = { data: [{ name: "value", dataRef: "value" }] };
/** Imports `value` and does nothing with it. */
export const consumer: TestBlueprint = { imports: [stringParameter("value")] };
export const imports = { data: [{ name: "value", dataRef: "value" }] };

/** Gives the Installation `root` another spec, and triggers it. */
export async function change(namespace: TestNamespace, wanted: Installation): Promise<void> {
  const { status: _, ...found } = await namespace.get(resources.installation, "root");
  const metadata = { ...found.metadata, annotations: { ...found.metadata.annotations, ...trigger } };
  const spec = { ...wanted.spec, context: "default" };
  await namespace.client.update(resources.installation, { ...found, metadata, spec });
}

export async function deployItem(namespace: TestNamespace, name: string): Promise<DeployItem | undefined> {
  const all = await namespace.list(resources.deployItem);
  return all.find(({ metadata }) => metadata.labels?.[labels.managedName] === name);
}

/** Waits until the deployer works on the item. */
export async function untilPicked(namespace: TestNamespace, name = "item"): Promise<DeployItem> {
  const item = await deployItem(namespace, name);
  if (item === undefined) throw new Error(`there is no deploy item ${name}`);
  const isPicked = (found: DeployItem | undefined): boolean => found?.status?.phase === "Init";
  const picked = await namespace.until(resources.deployItem, item.metadata.name ?? "", isPicked);
  if (picked === undefined) throw new Error(`deploy item ${name} is gone`);
  return picked;
}

/** Ends an item that hangs. */
export async function finishItem(namespace: TestNamespace, name = "item"): Promise<void> {
  const picked = await untilPicked(namespace, name);
  const status = { ...picked.status, phase: "Succeeded", jobIDFinished: picked.status?.jobID ?? "" };
  await namespace.client.updateStatus(resources.deployItem, { ...picked, status });
}

/** The subinstallation of a template. */
export async function childOf(namespace: TestNamespace, name: string): Promise<Installation | undefined> {
  const all = await namespace.list(resources.installation);
  return all.find(({ metadata }) => metadata.annotations?.[annotations.subinstallationName] === name);
}
