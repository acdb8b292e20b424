import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { handOverFields, managersFor } from "./managed-fields.ts";

const managers = { manager: "m", former: ["old", "older"] };

function entry(owner: string, fieldsV1: object, rest: object = {}): object {
  const [manager, operation] = owner.split(" ");
  return {
    manager,
    operation,
    apiVersion: "v1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1,
    ...rest,
  };
}

function liveWith(...managedFields: object[]): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", managedFields } };
}

const x = { "f:data": { "f:x": {} } };
const y = { "f:data": { ".": {}, "f:y": {} }, "f:list": { 'k:{"name":"a"}': { ".": {}, "f:name": {} } } };
const both = { "f:data": { "f:x": {}, ".": {}, "f:y": {} }, "f:list": { 'k:{"name":"a"}': { ".": {}, "f:name": {} } } };

describe("managersFor", () => {
  it.each([
    [managers, true, ["old", "older"]],
    [{ ...managers, formerOfOwned: ["original"] }, true, ["old", "older", "original"]],
    [{ ...managers, formerOfOwned: ["original"] }, false, ["old", "older"]],
  ])("of %j on an object that is the item's: %j", (given, isOwned, former) => {
    expect(managersFor(given, isOwned)).toEqual({ manager: "m", former });
  });
});

describe("handOverFields", () => {
  const rows: readonly (readonly [name: string, entries: object[], result: object[] | undefined])[] = [
    ["nothing without owners", [], undefined],
    ["nothing when only others write", [entry("kubectl Update", x), entry("m Apply", y)], undefined],
    ["nothing of other applies", [entry("old Apply", x), entry("mine Apply", y)], undefined],
    ["nothing of a status", [entry("old Update", x, { subresource: "status" })], undefined],
    [
      "what a former name wrote",
      [entry("old Update", x), entry("kubectl Update", y)],
      [entry("m Apply", x), entry("kubectl Update", y)],
    ],
    [
      "a map as a whole beside what is in it",
      [entry("m Apply", { "f:data": {} }), entry("old Update", x)],
      [entry("m Apply", { "f:data": { ".": {}, "f:x": {} } })],
    ],
    ["what the manager itself wrote", [entry("m Update", x)], [entry("m Apply", x)]],
    ["everything that nobody recorded", [entry("before-first-apply Update", x)], [entry("m Apply", x)]],
    [
      "several, beside what is applied",
      [entry("old Update", x), entry("m Apply", {}), entry("older Update", y)],
      [entry("m Apply", both)],
    ],
    ["all but the status", [entry("old Update", { ...x, "f:status": { "f:phase": {} } })], [entry("m Apply", x)]],
  ];
  it.each(rows)("hands over %s", (_name, entries, result) => {
    expect(handOverFields(liveWith(...entries), managers)).toEqual(result);
  });

  it("hands over what a former name applied, when it is known for that", () => {
    const live = liveWith(entry("old Apply", x), entry("m Apply", y), entry("older Apply", y));
    expect(handOverFields(live, { ...managers, formerApplies: ["old"] })).toEqual([
      entry("m Apply", both),
      entry("older Apply", y),
    ]);
  });

  it("hands over what another item applied, when the object is adopted", () => {
    const live = liveWith(entry("items/a Apply", x), entry("kubectl Apply", y), entry("items/b Update", y));
    const family = { manager: "items/b", former: [], family: "items/" };
    expect(handOverFields(live, family, { isAdopted: true })).toEqual([
      { ...entry("items/b Apply", both) },
      entry("kubectl Apply", y),
    ]);
    expect(handOverFields(liveWith(entry("items/a Apply", x)), family)).toBe(undefined);
  });

  it("leaves the note of an adoption to whom it is", () => {
    const noted = "f:landscaper.gardener.cloud/adopted-from";
    const note = { "f:metadata": { "f:annotations": { ".": {}, [noted]: {} } } };
    const more = { "f:metadata": { "f:annotations": { ".": {}, [noted]: {}, "f:a": {} } } };
    expect(handOverFields(liveWith(entry("old Update", more)), managers)).toEqual([
      entry("m Apply", { "f:metadata": { "f:annotations": { ".": {}, "f:a": {} } } }),
      entry("old Update", note),
    ]);
    expect(handOverFields(liveWith(entry("old Update", { ...x, ...note })), managers)).toEqual([
      entry("m Apply", x),
      entry("old Update", note),
    ]);
    expect(handOverFields(liveWith(entry("old Update", note)), managers)).toBe(undefined);
  });

  it("copes with an object without managed fields", () => {
    expect(handOverFields({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }, managers)).toBe(undefined);
  });
});
