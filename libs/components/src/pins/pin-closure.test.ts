import { describe, expect, it } from "@jest/globals";
import { componentText, formatResourceKey } from "@landscaper/ocm";
import { descriptorOf, digest, type TestComponent } from "../../test/index.ts";
import { readClosure, type Closure } from "../supply/closure.ts";
import { keyOfRequest, type ComponentRequest } from "../supply/component-request.ts";
import { SuppliesLacking, SupplyReader, type Supply } from "../supply/supplies.ts";
import { formatPins, parseChartPin, parsePins } from "./component-pins.ts";
import { checkPins, createChartPinner, pinComponents } from "./pin-closure.ts";

const context = { type: "OCIRegistry", baseUrl: "registry.example" };
const leaf: TestComponent = { name: "example.com/leaf", version: "1.0.0", resources: { chart: "a chart" } };
const app: TestComponent = {
  name: "example.com/app",
  version: "1.0.0",
  resources: { blueprint: "a blueprint" },
  references: [{ name: "leaf", componentName: leaf.name, version: leaf.version }],
};

/** Contents are the texts of `contents`. */
async function read(components: readonly TestComponent[], contents = "a blueprint"): Promise<Closure> {
  const supplies = new Map<string, Supply>();
  const supply = (request: ComponentRequest): Supply => {
    const found = components.find((each) => componentText(each) === componentText(request.component));
    if (found === undefined) throw new Error("not there");
    const text = request.type === "descriptor" ? JSON.stringify(descriptorOf(found)) : contents;
    return { bytes: Buffer.from(text), digest: digest(text), mediaType: "", where: "the test", context };
  };
  for (;;) {
    try {
      const selection = { root: app, context, overwrites: [], hasResolvers: false };
      const closure = await readClosure(selection, { supplies: new SupplyReader([...supplies]), where: "test" });
      for (const resource of closure.root.resources)
        closure.contentOf({ component: closure.root, resource }, "blueprint");
      return closure;
    } catch (error) {
      if (!(error instanceof SuppliesLacking)) throw error;
      for (const request of error.requests) supplies.set(keyOfRequest(request), supply(request));
    }
  }
}

const blueprintOf = ({ root, contentOf }: Closure): Supply => {
  const [resource] = root.resources;
  if (resource === undefined) throw new Error("no resource");
  return contentOf({ component: root, resource }, "blueprint");
};

describe("what a job was rendered with", () => {
  it("passes as long as it is the same, also after the way through an annotation", async () => {
    const closure = await read([app, leaf]);
    const components = pinComponents(closure, closure.root);
    const pins = { isVerified: true, components, blueprint: digest("a blueprint"), items: undefined };
    expect(parsePins(formatPins(pins))).toEqual(pins);
    expect(blueprintOf(checkPins(closure, pins)).digest).toBe(digest("a blueprint"));
  });

  it("is refused with both digests when a descriptor is another one", async () => {
    const before = await read([app, leaf]);
    const pins = { isVerified: false, components: pinComponents(before, before.root) };
    const other = { ...leaf, resources: { chart: "another chart" } };
    const [pinned, found] = [leaf, other].map((each) => digest(JSON.stringify(descriptorOf(each))));
    const after = await read([app, other]);
    expect(() => checkPins(after, pins)).toThrow(
      expect.objectContaining({
        reason: "ComponentChanged",
        message: `component example.com/leaf:1.0.0: descriptor: digest mismatch: the job was rendered with ${pinned}, the repository now has ${found}`,
      }),
    );
  });

  it("is refused with both digests when the blueprint is another one", async () => {
    const closure = await read([app, leaf], "another blueprint");
    const pinned = checkPins(closure, { isVerified: false, components: {}, blueprint: digest("a blueprint") });
    expect(() => blueprintOf(pinned)).toThrow(
      `component example.com/app:1.0.0: resource "blueprint": digest mismatch: the job was rendered with ${digest("a blueprint")}, the repository now has ${digest("another blueprint")}`,
    );
  });

  it("has all components, where it was verified", async () => {
    const closure = await read([app, leaf]);
    const components = pinComponents(closure, closure.root);
    const { [`${leaf.name}:1.0.0`]: _, ...others } = components;
    expect(() => checkPins(closure, { isVerified: false, components: others })).not.toThrow();
    expect(() => checkPins(closure, { isVerified: true, components: others })).toThrow(
      "component example.com/leaf:1.0.0: it is not among the components that were verified with the root Installation",
    );
  });

  it.each(["", "{", "[]", "gzip:AAAA", '{"components":1}'])("is nothing in the text %j", (text) => {
    expect(parsePins(text)).toBeUndefined();
  });

  it("is packed when there is much of it, and refused when it does not fit into an annotation", () => {
    const many = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `example.com/c${index}:1.0.0`);
      return { isVerified: true, components: Object.fromEntries(names.map((name) => [name, digest(name)])) };
    };
    const text = formatPins(many(1000));
    expect(text.length).toBeLessThan(65_536);
    expect(parsePins(text)).toMatchObject(many(1000));
    expect(() => formatPins(many(5000))).toThrow(/more than the allowed 131072$/);
  });
});

describe("the chart of an item", () => {
  it("is pinned by the descriptor, the repository and the digest of its resource", async () => {
    const closure = await read([app, leaf]);
    const component = closure.components.find(({ name }) => name === leaf.name);
    const [resource] = component?.resources ?? [];
    if (component === undefined || resource === undefined) throw new Error("no chart");
    const pin = createChartPinner(closure)({ resourceRef: formatResourceKey({ component, resource }) });
    expect(pin).toEqual({
      component: "example.com/leaf:1.0.0",
      descriptor: digest(JSON.stringify(descriptorOf(leaf))),
      repository: context,
      digest: resource.digest,
    });
    expect(parseChartPin(formatPins(pin ?? {}))).toEqual({ ...pin, manifest: undefined });
  });

  it("is pinned by its manifest where its reference is that of a resource", async () => {
    const imageReference = "registry.example/charts/app:1.0.0";
    const access = { type: "ociArtifact", imageReference: `${imageReference}@${digest("manifest")}` };
    const closure = await read([{ ...app, resources: { chart: { content: "", access } } }, leaf]);
    const pinChart = createChartPinner(closure);
    expect(pinChart({ ref: imageReference })).toEqual({ manifest: digest("manifest") });
    expect(pinChart({ ref: "registry.example/charts/other:1.0.0" })).toBeUndefined();
  });
});
