import { describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, type DeployItem, type Environment, type Target } from "@landscaper/api";
import { environment, registration } from "../../../test/deployer-management.ts";
import { itemsOfEnvironment } from "./stamp-items.ts";

/** With the annotation as it is now. */
function item(namespace: string, stamp: string | undefined, target?: string): DeployItem {
  const marks = stamp === undefined ? {} : { [annotations.environments]: stamp };
  const spec = { type: "test/one", ...(target === undefined ? {} : { target: { name: target } }) };
  return {
    apiVersion,
    kind: "DeployItem",
    metadata: { namespace, name: `${namespace}-item`, annotations: marks },
    spec,
  };
}

const target: Target = {
  apiVersion,
  kind: "Target",
  metadata: { namespace: "one", name: "t", annotations: { [annotations.environment]: "edge" } },
  spec: { type: "t" },
};
const before = environment("edge", { targetSelectors: [] });
const named: Environment = { ...before, spec: { ...before.spec, namespaces: ["two"] } };
const choosy = environment("edge", { targetSelectors: [{ targets: [{ name: "none" }] }] });
const ofAll = registration("one", { mappings: { targetSelectors: "(( selectors ))" } });

/** DeployItems that are looked at again when the Environment becomes this one. */
function affected(next: Environment, items: readonly DeployItem[], registrations = [ofAll]): readonly string[] {
  const sources = {
    environments: { get: () => next, list: () => [next] },
    registrations: { list: () => registrations },
    targets: {
      get: ({ namespace, name }: { namespace?: string; name: string }) =>
        `${namespace}/${name}` === "one/t" ? target : undefined,
    },
  };
  const map = itemsOfEnvironment(sources, { list: () => items });
  return map(next).map(({ namespace }) => namespace ?? "");
}

describe("items that a change of an Environment concerns", () => {
  it("are those of namespaces that it names no more, and of those that it names now", () => {
    expect(affected(named, [item("one", "edge", "t"), item("three", "edge", "u")])).toEqual(["one", "three"]);
    expect(affected(named, [item("two", "edge", "u"), item("one", undefined, "t")])).toEqual([]);
    expect(affected(named, [item("two", undefined, "u")])).toEqual(["two"]);
  });

  it("are those that it claims by the selectors of a registration alone", () => {
    expect(affected(choosy, [item("one", undefined, "u")])).toEqual(["one"]);
    expect(affected(choosy, [item("one", undefined, "u")], [])).toEqual([]);
  });
});
