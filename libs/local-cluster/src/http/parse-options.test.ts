import { describe, expect, it } from "@jest/globals";
import { parseDeleteOptions, parseWriteOptions } from "./parse-options.ts";

const query = (text: string) => new URLSearchParams(text);
const request = (text: string, contentType = "") => ({ query: query(text), userAgent: "tests/1.0 (x)", contentType });

describe("parseWriteOptions", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["", { dryRun: false, fieldValidation: "Warn", manager: "tests" }],
    ["fieldValidation=Warn", { dryRun: false, fieldValidation: "Warn", manager: "tests" }],
    ["fieldValidation=Strict&dryRun=All", { dryRun: true, fieldValidation: "Strict", manager: "tests" }],
    ["fieldValidation=Ignore&fieldManager=x", { dryRun: false, fieldValidation: "Ignore", manager: "x" }],
  ];
  for (const [text, want] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parseWriteOptions(request(text), "CreateOptions")).toEqual(want);
    });
  }

  it("names the options that it refuses", () => {
    expect(() => parseWriteOptions(request("dryRun=Some"), "PatchOptions")).toThrow(
      'PatchOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    );
    expect(() => parseWriteOptions(request("fieldValidation=x"), "UpdateOptions")).toThrow(
      'UpdateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"',
    );
  });
});

describe("parseDeleteOptions", () => {
  const none = {
    dryRun: false,
    uid: undefined,
    resourceVersion: undefined,
    propagationPolicy: undefined,
    gracePeriodSeconds: undefined,
  };
  const cases: readonly (readonly [string, unknown, object])[] = [
    ["", undefined, {}],
    ["propagationPolicy=Foreground", undefined, { propagationPolicy: "Foreground" }],
    ["propagationPolicy=Foreground", { propagationPolicy: "Orphan" }, { propagationPolicy: "Orphan" }],
    ["", { orphanDependents: true }, { propagationPolicy: "Orphan" }],
    ["orphanDependents=false", undefined, { propagationPolicy: "Background" }],
    ["dryRun=All", undefined, { dryRun: true }],
    ["", { dryRun: ["All"] }, { dryRun: true }],
    ["gracePeriodSeconds=5", undefined, { gracePeriodSeconds: 5 }],
    ["gracePeriodSeconds=5", { gracePeriodSeconds: 0 }, { gracePeriodSeconds: 0 }],
    ["", { preconditions: { uid: "u", resourceVersion: "7" } }, { uid: "u", resourceVersion: "7" }],
    ["", { preconditions: { uid: null } }, {}],
  ];
  for (const [text, body, want] of cases) {
    it(`reads ${JSON.stringify(text)} with ${JSON.stringify(body)}`, () => {
      expect(parseDeleteOptions(query(text), body)).toEqual({ ...none, ...want });
    });
  }

  it("refuses unknown policies and negative periods", () => {
    expect(() => parseDeleteOptions(query("propagationPolicy=Never"), undefined)).toThrow(
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Never": supported values: "Foreground", ' +
        '"Background", "Orphan", "nil"',
    );
    expect(() => parseDeleteOptions(query(""), { gracePeriodSeconds: -1 })).toThrow(
      "gracePeriodSeconds: Invalid value: -1: must be greater than or equal to 0",
    );
  });
});
