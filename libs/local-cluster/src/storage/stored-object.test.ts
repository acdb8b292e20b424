import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { builtinResources } from "../resources/builtin-resources.ts";
import { StoredObject } from "./stored-object.ts";

const find = (plural: string, group = "") =>
  builtinResources.find((definition) => definition.plural === plural && definition.group === group)!;
const event: UnstructuredObject = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e" },
  involvedObject: { name: "x" },
  message: "hello",
};

describe("StoredObject", () => {
  it("writes kind and apiVersion first, and leaves them out of list items of built-in kinds", () => {
    const stored = new StoredObject(
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } },
      1,
    );
    expect(stored.json(find("configmaps"))).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}}',
    );
    expect(stored.itemJson(find("configmaps"))).toBe('{"metadata":{"name":"a"},"data":{"k":"v"}}');
    expect(stored.itemJson({ ...find("configmaps"), custom: true })).toBe(stored.json(find("configmaps")));
  });

  it("shows an event in the form of each of its groups", () => {
    const stored = new StoredObject(event, 1);
    expect(JSON.parse(stored.json(find("events")))).toEqual(event);
    expect(JSON.parse(stored.json(find("events", "events.k8s.io")))).toEqual({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "e" },
      regarding: { name: "x" },
      note: "hello",
    });
    expect(stored.in(find("events", "events.k8s.io"))).toMatchObject({ note: "hello" });
  });
});
