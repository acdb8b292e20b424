// For tests of pins: components with a chart, and items that carry the annotation of the core.
import { annotations, type DeployItem } from "@landscaper/api";
import { formatPins, type ChartPin } from "@landscaper/components";
import { descriptorOf, digest, type TestComponent, type TestResource } from "@landscaper/components/testing";
import { formatResourceKey, parseDescriptor, type ComponentDescriptor, type RepositoryContext } from "@landscaper/ocm";
import { jobTimeout, mapChart, type HelmBench } from "./helm-bench.ts";
import { helmSpec, packChart } from "./index.ts";

export const chartMediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/** The packed chart of one ConfigMap with this value. */
export async function chartOf(key: string): Promise<Buffer> {
  return await packChart({ ...mapChart, "values.yaml": `key: ${key}\n` });
}

/** Component `example.com/app:1.0.0` with the resource `chart`, whose ConfigMap has this value. */
export async function componentWith(key: string, resource: Partial<TestResource> = {}): Promise<TestComponent> {
  const chart = { content: await chartOf(key), mediaType: chartMediaType, ...resource };
  return { name: "example.com/app", version: "1.0.0", resources: { chart } };
}

export const read = (component: TestComponent): ComponentDescriptor => parseDescriptor(descriptorOf(component), "test");

/** `chart.resourceRef` of the chart. */
export function resourceRefOf(component: TestComponent): string {
  const descriptor = read(component);
  const [resource] = descriptor.resources;
  if (resource === undefined) throw new Error("the component has no resource");
  return formatResourceKey({ component: descriptor, resource });
}

/** As the core writes it for `chart.resourceRef`. */
export function pinOf(component: TestComponent, repository?: RepositoryContext): ChartPin {
  return {
    component: `${component.name}:${component.version}`,
    descriptor: digest(JSON.stringify(descriptorOf(component))),
    ...(repository === undefined ? {} : { repository }),
    digest: read(component).resources[0]?.digest,
  };
}

/** The item "item" after its job; a text stands in the annotation as it is. */
export async function deployPinned(bench: HelmBench, chart: object, pin: ChartPin | string): Promise<DeployItem> {
  const text = typeof pin === "string" ? pin : formatPins(pin);
  const spec = { ...helmSpec(bench.namespace, { chart }), timeout: jobTimeout };
  await bench.scope.create({ name: "item", spec, annotations: { [annotations.componentPins]: text } });
  return await bench.scope.waitForEnd("item");
}

/** What the job of the item has left on the target. */
export async function leftBehind(bench: HelmBench): Promise<unknown> {
  return [await bench.data(), await bench.revisions()];
}

export const nothing = [undefined, []];
