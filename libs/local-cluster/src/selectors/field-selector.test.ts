import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { builtinResources } from "../resources/builtin-resources.ts";
import { checkFieldSelector, matchesFields, parseFieldSelector } from "./field-selector.ts";

const find = (plural: string, group = "") =>
  builtinResources.find((definition) => definition.plural === plural && definition.group === group)!;
const pod: UnstructuredObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "n" },
  spec: { nodeName: "node" },
  status: { phase: "Running" },
};

describe("parseFieldSelector", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["", []],
    ["a=b", [{ field: "a", equal: true, value: "b" }]],
    ["a==b", [{ field: "a", equal: true, value: "b" }]],
    ["a!=b", [{ field: "a", equal: false, value: "b" }]],
    ["a=", [{ field: "a", equal: true, value: "" }]],
    [
      "a=b, c!=d",
      [
        { field: "a", equal: true, value: "b" },
        { field: "c", equal: false, value: "d" },
      ],
    ],
    [String.raw`a=b\,c\=d\\`, [{ field: "a", equal: true, value: String.raw`b,c=d` + "\\" }]],
  ];
  for (const [text, want] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parseFieldSelector(text)).toEqual(want);
    });
  }

  it("refuses a term without an operator", () => {
    expect(() => parseFieldSelector("a=b,c")).toThrow("invalid selector: 'a=b,c'; can't understand 'c'");
  });
});

describe("checkFieldSelector", () => {
  it("accepts name and namespace of every kind", () => {
    const requirements = parseFieldSelector("metadata.name=a,metadata.namespace=b");
    expect(() => checkFieldSelector(find("configmaps"), requirements)).not.toThrow();
  });

  it("names the fields that a kind offers when it offers no others", () => {
    expect(() => checkFieldSelector(find("configmaps"), parseFieldSelector("data=x"))).toThrow(
      '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  it("names the field when a kind has selectors of its own", () => {
    expect(() => checkFieldSelector(find("pods"), parseFieldSelector("spec.x=y"))).toThrow(
      "field label not supported: spec.x",
    );
  });
});

describe("matchesFields", () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ["metadata.name=p", true],
    ["metadata.name!=p", false],
    ["metadata.namespace=n,status.phase=Running", true],
    ["status.phase=Pending", false],
    ["status.phase!=Pending", true],
    ["spec.nodeName=node", true],
    ["status.podIP=", true],
    ["spec.hostNetwork=false", true],
  ];
  for (const [text, want] of cases) {
    it(`says ${want} to ${text}`, () => {
      expect(matchesFields(find("pods"), parseFieldSelector(text), pod)).toBe(want);
    });
  }

  it("selects events of the new group by what they regard", () => {
    const event: UnstructuredObject = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "e" },
      regarding: { kind: "Pod", name: "p" },
      reason: "Started",
    };
    const selector = parseFieldSelector("regarding.name=p,regarding.kind=Pod,reason=Started");
    expect(matchesFields(find("events", "events.k8s.io"), selector, event)).toBe(true);
  });
});
