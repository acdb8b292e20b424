import { describe, expect, it } from "@jest/globals";
import { listComponents } from "./list-components.ts";
import { parseDescriptor } from "./parse-descriptor.ts";

type Fields = Record<string, unknown>;

const nested = (value: unknown): Fields => ({ name: "landscaper.gardener.cloud/component-descriptor", value });
const reference = (name: string, ...labels: readonly Fields[]): Fields => ({
  name,
  componentName: `example.com/${name}`,
  version: "v1",
  labels,
});
const component = (name: string, references: readonly Fields[] = [], more: Fields = {}): Fields => ({
  meta: { schemaVersion: "v2" },
  component: { name: `example.com/${name}`, version: "v1", componentReferences: references, ...more },
});
const v3 = (name: string, references: readonly Fields[]): Fields => ({
  apiVersion: "ocm.software/v3alpha1",
  metadata: { name: `example.com/${name}`, version: "v1" },
  spec: { references },
});

function namesOf(document: Fields): readonly string[] {
  return listComponents(parseDescriptor(document, "cd"), "cd").map(({ name }) => name.replace("example.com/", ""));
}

describe("listComponents", () => {
  const leaf = component("leaf");
  const middle = component("middle", [reference("leaf", nested(leaf))]);
  it.each<[string, Fields, readonly string[]]>([
    ["no reference", leaf, ["leaf"]],
    ["a reference without label", component("root", [reference("leaf")]), ["root"]],
    ["another label", component("root", [reference("leaf", { name: "x", value: leaf })]), ["root"]],
    ["the label on the component itself", component("root", [], { labels: [nested(leaf)] }), ["root"]],
    [
      "nested ones, depth first",
      component("root", [reference("middle", nested(middle)), reference("last", nested(component("last")))]),
      ["root", "middle", "leaf", "last"],
    ],
    [
      "one that two references lead to, once",
      component("root", [reference("middle", nested(middle)), reference("leaf", nested(leaf))]),
      ["root", "middle", "leaf"],
    ],
    ["one of another schema", v3("root", [reference("leaf", nested(leaf))]), ["root", "leaf"]],
  ])("with %s", (_name, root, want) => {
    expect(namesOf(root)).toEqual(want);
  });

  it("goes as deep as descriptors are nested", () => {
    const deepest = Array.from({ length: 100 }, (_, i) => `level-${i}`).reduce<Fields>(
      (inner, name, i) => component(name, [reference(i === 0 ? "end" : `level-${i - 1}`, nested(inner))]),
      component("end"),
    );
    expect(namesOf(deepest)).toHaveLength(101);
  });

  it.each<[string, Fields, string]>([
    [
      "a nested descriptor that is none",
      component("root", [
        reference("a1"),
        reference("b1", { name: "x" }, nested(v3("b1", [reference("c1", nested({ meta: 1 }))]))),
      ]),
      "cd: component.componentReferences[1].labels[1].value: spec.references[0].labels[0].value: not a valid component descriptor: expected meta.schemaVersion v2 or apiVersion ocm.software/v3alpha1, found neither",
    ],
    [
      "two descriptors of one version that differ",
      component("root", [
        reference("leaf", nested(leaf)),
        { ...reference("leaf", nested(component("leaf", [], { creationTime: "later" }))), name: "again" },
      ]),
      "cd: component.componentReferences[1].labels[0].value: expected the descriptor of example.com/leaf:v1 that cd: component.componentReferences[0].labels[0].value has, found another one",
    ],
  ])("refuses %s", (_name, root, message) => {
    expect(() => namesOf(root)).toThrow(new Error(message));
  });
});
