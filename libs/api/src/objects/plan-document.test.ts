import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { parsePlanDocument, planLabelValue, planSecretName } from "./plan-document.ts";

describe("the Secret of a plan", () => {
  it.each([
    ["web", "web-plan", "web"],
    ["a".repeat(63), `${"a".repeat(63)}-plan`, "a".repeat(63)],
    ["a".repeat(64), `${"a".repeat(64)}-plan`, `${"a".repeat(54)}-acmlvasl`],
    [`${"a".repeat(53)}.b${"c".repeat(20)}`, `${"a".repeat(53)}.b${"c".repeat(20)}-plan`, `${"a".repeat(53)}-rhsbzls5`],
    ["a".repeat(253), `${"a".repeat(239)}-treqo7ny-plan`, `${"a".repeat(54)}-treqo7ny`],
  ])("of %s", (name, secret, label) => {
    expect([planSecretName(name), planLabelValue(name)]).toEqual([secret, label]);
  });

  it("always has a name and a label that are legal, and differ between items", () => {
    const name = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/).filter((text) => !/[.-]\.|\.-/.test(text));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(planSecretName(one)).toMatch(/^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);
        expect(planLabelValue(one)).toMatch(/^(?=.{1,63}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);
        fc.pre(one !== other);
        expect(planSecretName(one)).not.toBe(planSecretName(other));
        expect(planLabelValue(one)).not.toBe(planLabelValue(other));
      }),
    );
  });
});

describe("parsePlanDocument", () => {
  it("reads what a deployer has written, and keeps the changes as they are", () => {
    const document = { generation: 3, time: "2026-01-01T00:00:00Z", summary: "1 to create", changes: [{ a: null }, 1] };
    expect(parsePlanDocument(document, "plan.json")).toEqual(document);
  });

  it("names what is missing", () => {
    expect(() => parsePlanDocument({ time: "2026-01-01T00:00:00Z", changes: [] }, "plan.json")).toThrow(
      "plan.json: not a valid plan: summary: required field is missing",
    );
  });
});
