import { describe, expect, it } from "@jest/globals";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "./foreign-kinds.ts";
import { generateAdmissionPolicies } from "./policies.ts";
import { badObjects, type GoodObject, goodObjects } from "../../test/index.ts";

const objects = generateAdmissionPolicies();
const isPolicy = (object: (typeof objects)[number]): object is ValidatingAdmissionPolicy =>
  object.kind === "ValidatingAdmissionPolicy";
const policies = objects.filter(isPolicy);
const bindings = objects.filter((object): object is ValidatingAdmissionPolicyBinding => !isPolicy(object));

/** Policies from which the skip-validation label exempts objects. */
const exemptible = policies.filter(
  ({ metadata }) => metadata.name !== "environments.validation.landscaper.gardener.cloud",
);

/** A message without the name of the entry: "a[x]: y" -> "a: y". */
function withoutName(message: string): string {
  return message.replace(/\[[^\]"]*\]/, "").replace(/the name \S+ must/, "the name must");
}

describe("generateAdmissionPolicies", () => {
  it("has a policy and a binding for each kind that a webhook used to check, and for Environments", () => {
    const names = ["installations", "executions", "deployitems", "targets", "environments"].map(
      (plural) => `${plural}.validation.landscaper.gardener.cloud`,
    );
    expect(policies.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(bindings.map(({ spec }) => spec)).toEqual(
      names.map((policyName) => ({ policyName, validationActions: ["Deny"] })),
    );
  });

  it.each(policies.map((policy) => [policy.metadata.name, policy] as const))(
    "%s checks creates and updates of the main resource, and refuses when it cannot tell",
    (_, { spec }) => {
      const rule = spec.matchConstraints?.resourceRules?.[0];
      expect(rule).toMatchObject({
        apiGroups: ["landscaper.gardener.cloud"],
        apiVersions: ["v1alpha1"],
        operations: ["CREATE", "UPDATE"],
      });
      expect(rule?.resources).toHaveLength(1);
      expect(rule?.resources[0]).not.toContain("/");
      expect(spec.failurePolicy).toBe("Fail");
    },
  );

  it.each(exemptible.map((policy) => [policy.metadata.name, policy] as const))(
    "%s leaves objects with the skip-validation label alone, and updates of anything but the spec",
    (_, { spec }) => {
      const has = (object: string): string =>
        `has(${object}.metadata.labels) && 'validation.landscaper.gardener.cloud/skip-validation' in ${object}.metadata.labels && ${object}.metadata.labels['validation.landscaper.gardener.cloud/skip-validation'] == 'true'`;
      expect(spec.matchConditions).toEqual([
        { name: "not-skipped", expression: `!(${has("object")})` },
        {
          name: "spec-is-new",
          expression: `oldObject == null || object.spec != oldObject.spec || (${has("oldObject")})`,
        },
      ]);
    },
  );

  it("does not exempt Environments, and does not match updates outside the spec", () => {
    const others = policies.filter((policy) => !exemptible.includes(policy));
    expect(others.map(({ spec }) => spec.matchConditions)).toEqual([
      [{ name: "spec-is-new", expression: "oldObject == null || object.spec != oldObject.spec" }],
    ]);
  });

  it("has messages that name the field", () => {
    const messages = policies.flatMap(({ spec }) => (spec.validations ?? []).map(({ message }) => message ?? ""));
    expect(messages.filter((message) => !/^(spec|metadata)[.a-zA-Z]*: \S/.test(message))).toEqual([]);
  });

  it("forbids the change of a type, and finds everything else invalid", () => {
    const reasons = policies.flatMap(({ spec }) =>
      (spec.validations ?? []).filter(({ reason }) => reason !== undefined),
    );
    expect(reasons.map(({ message, reason }) => [message, reason])).toEqual([
      ["spec.type: must not change", "Forbidden"],
    ]);
  });

  it("has samples of the skip-validation label for each kind", () => {
    const kinds = exemptible.map(({ spec }) => spec.matchConstraints?.resourceRules?.[0]?.resources[0]);
    const pluralOf = ({ object }: GoodObject): string => `${object.kind.toLowerCase()}s`;
    const about = (samples: readonly GoodObject[], what: string): string[] =>
      samples.filter(({ name }) => name.endsWith(what)).map(pluralOf);
    expect(about(goodObjects, "has the skip-validation label")).toEqual(kinds);
    expect(about(badObjects, "loses its skip-validation label")).toEqual(kinds);
    expect(about(badObjects, 'skip-validation label is "false"')).toEqual(kinds);
  });

  it("has no rule without a bad object that it refuses", () => {
    const proven = badObjects.map(({ message }) => withoutName(message.split("denied request: ")[1] ?? ""));
    const tell = (message: string): string =>
      message.replace(/^(\S+): names must be unique/, "$1: the name must be unique");
    const unproven = policies.flatMap(({ spec }) =>
      (spec.validations ?? [])
        .map(({ message }) => tell(message ?? ""))
        .filter(
          (message) => !proven.some((text) => text === message || text.startsWith(message.split(" may only")[0] ?? "")),
        ),
    );
    expect(unproven).toEqual([]);
  });
});
