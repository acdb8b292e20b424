import { describe, expect, it } from "@jest/globals";
import { podResourceErrors } from "./pod-resource-rules.ts";
import { policyRules } from "./policy-rules.ts";

const texts = (count: number, toText: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, i) => toText(i));

/** Milliseconds; quadratic time takes minutes for these sizes. */
const limit = 3000;

function millisecondsOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

describe("rules take linear time", () => {
  it("checks the resources of a pod with many names", () => {
    const amounts = Object.fromEntries(texts(6000, (i) => `hugepages-${i}`).map((name) => [name, "1"]));
    const resources = { limits: amounts, requests: amounts };
    const spec = { resources, containers: [{ resources }] };
    expect(millisecondsOf(() => expect(podResourceErrors(spec, "spec")).toEqual([]))).toBeLessThan(limit);
  });

  it("checks the versions of a webhook", () => {
    const versions = ["v1", ...texts(100_000, (i) => `v${i + 2}`), "v1"];
    const rule = policyRules["ValidatingWebhook"]?.fields?.["admissionReviewVersions"];
    const time = millisecondsOf(() => expect(rule?.(versions, "at", {})).toHaveLength(1));
    expect(time).toBeLessThan(limit);
  });

  it("checks the resources of a webhook's rule", () => {
    const rule = {
      apiGroups: [""],
      apiVersions: ["v1"],
      operations: ["CREATE"],
      resources: texts(60_000, (i) => `a${i}/b`),
    };
    const whole = policyRules["RuleWithOperations"]?.whole;
    expect(millisecondsOf(() => expect(whole?.(rule, "at", [])).toEqual([]))).toBeLessThan(limit);
  });

  it("reports more errors than a call has arguments", () => {
    const resources = ["*/b", ...texts(150_000, (i) => `a${i}/b`)];
    const whole = policyRules["RuleWithOperations"]?.whole;
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources };
    expect(whole?.(rule, "at", [])).toHaveLength(150_000);
  });
});
