import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { JsonObject } from "../json-object.ts";
import { applyConfig } from "./apply-config.ts";
import { ApplyConflict } from "./apply-conflict.ts";
import { applyAsServer } from "./apply-for-kubectl.ts";
import type { ManagedFieldsEntry, Writer } from "./managed-entries.ts";
import { testKind } from "../../test/kind.ts";
import { trackUpdate } from "./track-update.ts";

function writer(manager: string, operation: Writer["operation"] = "Apply"): Writer {
  return { manager, operation, apiVersion: "v1", subresource: "", now: "2026-01-01T00:00:00Z" };
}

/** An object that is applied to and updated, as a server keeps it. */
class Live {
  object: JsonObject | undefined;

  apply(manager: string, spec: JsonObject, force = false): JsonObject {
    const config = { apiVersion: "v1", kind: "Test", metadata: { name: "x" }, spec };
    const applied = applyAsServer({ kind: testKind, writer: writer(manager), live: this.object, config, force });
    return this.#keep(applied.object, applied.managedFields);
  }

  update(manager: string, spec: JsonObject): JsonObject {
    const object = { apiVersion: "v1", kind: "Test", metadata: { name: "x" }, spec };
    const entries = trackUpdate({ kind: testKind, writer: writer(manager, "Update"), live: this.object, object });
    return this.#keep(object, entries);
  }

  owned(manager: string): unknown {
    const { managedFields } = (this.object?.["metadata"] ?? {}) as { managedFields?: readonly ManagedFieldsEntry[] };
    return managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
  }

  #keep(object: JsonObject, managedFields: readonly ManagedFieldsEntry[]): JsonObject {
    const { managedFields: _old, ...metadata } = object["metadata"] as JsonObject;
    this.object = { ...object, metadata: { ...metadata, managedFields } };
    return object["spec"] as JsonObject;
  }
}

const named = (...names: readonly string[]): unknown => names.map((name) => ({ name }));

describe("applyConfig", () => {
  it("removes what its manager applies no more, but not what others own", () => {
    const live = new Live();
    live.apply("one", { size: 1, on: true, items: named("a", "b") });
    live.apply("two", { on: true, items: named("b", "c") });
    expect(live.apply("one", { size: 1 })).toEqual({ size: 1, on: true, items: named("b", "c") });
    expect(live.apply("two", {})).toEqual({ size: 1 });
    expect(live.owned("two")).toEqual({ "f:spec": {} });
  });

  it("refuses to change what others own, names it, and takes it by force", () => {
    const live = new Live();
    live.apply("one", { size: 1, items: [{ name: "a", value: "1" }] });
    live.update("ctl", { size: 2, items: [{ name: "a", value: "1", note: "n" }] });
    const attempt = (): unknown => live.apply("two", { size: 3, items: [{ name: "a", value: "2" }] });
    expect(attempt).toThrow(ApplyConflict);
    expect(attempt).toThrow(
      'Apply failed with 2 conflicts: conflicts with "ctl" using v1:\n- .spec.size\nconflicts with "one":\n- .spec.items[name="a"].value',
    );
    expect(live.apply("two", { size: 3 }, true)).toMatchObject({ size: 3, items: [{ name: "a", value: "1" }] });
    expect(live.owned("ctl")).toEqual({ "f:spec": { "f:items": { 'k:{"name":"a"}': { "f:note": {} } } } });
  });

  const orders: readonly (readonly [live: string, config: string, want: string])[] = [
    ["abcd", "dxb", "acdxb"],
    ["abc", "xab", "xabc"],
    ["abc", "cba", "cba"],
    ["abc", "", "abc"],
    ["", "ba", "ba"],
    ["abcd", "bd", "abcd"],
    ["abcd", "axdy", "abcxdy"],
    ["ab", "bxa", "bxa"],
  ];
  it.each(orders)("merges the lists %j and %j to %j", (before, config, want) => {
    const live = new Live();
    live.update("ctl", { items: named(...before.split("")) });
    expect(live.apply("one", { items: named(...config.split("")) })["items"]).toEqual(named(...want.split("")));
  });

  it("sets all that it says, changes nothing a second time, and forgets without owners", () => {
    const item = fc.record({ name: fc.constantFrom("a", "b", "c"), value: fc.constantFrom("1", "2") });
    const items = fc.uniqueArray(item, { selector: ({ name }) => name, minLength: 1 });
    const spec = fc.record(
      {
        size: fc.integer({ min: 0, max: 3 }),
        plain: fc.array(fc.constantFrom("x", "y"), { minLength: 1 }),
        items,
        whole: fc.dictionary(fc.constantFrom("k", "l"), fc.constantFrom("1", "2"), { minKeys: 1 }),
        open: fc.constantFrom({ a: { b: 1 } }, { a: { c: [1] } }, { d: "e" }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = new Live();
        expect(live.apply("one", first)).toEqual(first);
        const both = live.apply("two", second, true);
        const before = live.object;
        expect(live.apply("two", second)).toEqual(both);
        expect(live.object).toEqual(before);
        // By force: an empty map is a change of what another one's apply has emptied, and conflicts with it, as with a real server.
        live.apply("two", {}, true);
        live.apply("one", {}, true);
        const config = { apiVersion: "v1", kind: "Test" };
        const { object } = applyConfig({
          kind: testKind,
          writer: writer("one"),
          live: live.object,
          config,
          force: false,
        });
        expect(object["spec"] ?? {}).toEqual({});
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  it("leaves a null where it took all from a map that somebody else owns", () => {
    const live = new Live();
    live.update("ctl", { open: { a: {} } });
    live.apply("one", { open: { a: { b: 1 } } });
    expect(live.apply("one", { size: 1 })).toEqual({ size: 1, open: { a: null } });
    expect(live.owned("ctl")).toEqual({ "f:spec": { ".": {}, "f:open": { ".": {}, "f:a": {} } } });
  });

  it("gives what nobody tracked to a manager of the time before", () => {
    const live = new Live();
    live.object = { metadata: { name: "x" }, spec: { size: 1 } };
    expect(live.apply("one", { on: true })).toEqual({ size: 1, on: true });
    expect(live.owned("before-first-apply")).toEqual({ "f:spec": { ".": {}, "f:size": {} } });
  });
});

describe("trackUpdate", () => {
  it("gives fields to whoever changes them, and nothing for equal content", () => {
    const live = new Live();
    live.update("one", { size: 1, on: true, whole: { a: "1" }, plain: ["x"] });
    live.update("two", { size: 2, whole: { a: "1", b: "2" }, plain: ["x"] });
    expect(live.owned("one")).toEqual({ "f:spec": { ".": {}, "f:plain": {} } });
    expect(live.owned("two")).toEqual({ "f:spec": { "f:size": {}, "f:whole": {} } });
    const before = live.object;
    live.update("three", { size: 2, whole: { a: "1", b: "2" }, plain: ["x"] });
    expect(live.object).toEqual(before);
  });

  it("keeps ten updaters apart and puts older ones together", () => {
    const live = new Live();
    const labels: Record<string, string> = {};
    for (const letter of "abcdefghijkl") {
      labels[letter] = "x";
      live.update(`by-${letter}`, { open: { ...labels } });
    }
    expect(live.owned("ancient-changes")).toEqual({
      "f:spec": { ".": {}, "f:open": { ".": {}, "f:a": {}, "f:b": {}, "f:c": {} } },
    });
    expect(live.owned("by-d")).toEqual({ "f:spec": { "f:open": { "f:d": {} } } });
  });

  it("tracks a value without a schema that turns from a map into a scalar", () => {
    const live = new Live();
    live.update("one", { open: { a: { b: 1 } } });
    live.update("two", { open: { a: 1 } });
    expect(live.owned("one")).toEqual({ "f:spec": { ".": {}, "f:open": {} } });
    expect(live.owned("two")).toEqual({ "f:spec": { "f:open": { "f:a": {} } } });
  });
});
