import type { UnstructuredObject } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { createPolicyEvaluator } from "./policy-evaluator.ts";
import type { PolicyRequest } from "./policy-request.ts";

const api = "admissionregistration.k8s.io/v1";
const everything = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] };

function policy(name: string, spec: Record<string, unknown> = {}): UnstructuredObject {
  return {
    apiVersion: api,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [everything] },
      validations: [{ expression: "false", message: `denied by ${name}` }],
      ...spec,
    },
  };
}

function binding(name: string, policyName: string, ...validationActions: string[]): UnstructuredObject {
  return {
    apiVersion: api,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName, validationActions },
  };
}

const object: UnstructuredObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cm", namespace: "ns" } };

const request: PolicyRequest = {
  operation: "CREATE",
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  subresource: "",
  namespace: "ns",
  name: "cm",
  user: { name: "u", groups: [] },
  dryRun: false,
  object,
};

function evaluate(
  policies: UnstructuredObject[],
  bindings: UnstructuredObject[],
  changed: Partial<PolicyRequest> = {},
): { message: string | undefined; warnings: readonly string[] } {
  const { denied, warnings } = createPolicyEvaluator().evaluate({
    policies,
    bindings,
    request: { ...request, ...changed },
  });
  return { message: denied?.message, warnings };
}

const because = (policyName: string, bindingName: string, detail: string): string =>
  `configmaps "cm" is forbidden: ValidatingAdmissionPolicy '${policyName}' with binding '${bindingName}' denied request: ${detail}`;

describe("createPolicyEvaluator", () => {
  it("admits without policies", () => {
    expect(evaluate([], [])).toEqual({ message: undefined, warnings: [] });
  });

  it("denies by the first policy in the order of names", () => {
    const bindings = [binding("bb", "b", "Deny"), binding("ba", "a", "Deny")];
    expect(evaluate([policy("b"), policy("a")], bindings).message).toBe(because("a", "ba", "denied by a"));
  });

  it("collects the warnings of all bindings beside a denial", () => {
    const bindings = [binding("w1", "a", "Warn"), binding("d", "b", "Deny"), binding("w2", "b", "Warn")];
    expect(evaluate([policy("a"), policy("b")], bindings)).toEqual({
      message: because("b", "d", "denied by b"),
      warnings: [
        "Validation failed for ValidatingAdmissionPolicy 'a' with binding 'w1': denied by a",
        "Validation failed for ValidatingAdmissionPolicy 'b' with binding 'w2': denied by b",
      ],
    });
  });

  it("only records what is merely audited", () => {
    expect(evaluate([policy("a")], [binding("b", "a", "Audit")])).toEqual({ message: undefined, warnings: [] });
  });

  it("says that parameters are not supported", () => {
    const withParams = policy("a", { paramKind: { apiVersion: "v1", kind: "ConfigMap" } });
    const detail = "failed to configure binding: this API server does not support paramKind";
    expect(evaluate([withParams], [binding("b", "a", "Deny")]).message).toBe(because("a", "b", detail));
  });

  it("ignores parameters when failures are ignored", () => {
    const withParams = policy("a", { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, failurePolicy: "Ignore" });
    expect(evaluate([withParams], [binding("b", "a", "Deny")]).message).toBeUndefined();
  });

  it("tells an expression that does not compile, should one have got in", () => {
    const broken = policy("a", { validations: [{ expression: "nope" }] });
    const detail =
      "compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^";
    expect(evaluate([broken], [binding("b", "a", "Deny")]).message).toBe(because("a", "b", detail));
  });

  it("never denies changes of policies themselves", () => {
    const changed = { group: "admissionregistration.k8s.io", kind: "ValidatingAdmissionPolicyBinding", resource: "x" };
    expect(evaluate([policy("a")], [binding("b", "a", "Deny")], changed).message).toBeUndefined();
  });

  it("names an object by generateName when it has no name yet", () => {
    const unnamed = { ...object, metadata: { generateName: "gen-" } };
    const { message } = evaluate([policy("a")], [binding("b", "a", "Deny")], { name: "", object: unnamed });
    expect(message).toBe(because("a", "b", "denied by a").replace('"cm"', '"gen-"'));
  });

  it("selects namespaces by their own labels", () => {
    const selective = policy("a", {
      matchConstraints: { resourceRules: [everything], namespaceSelector: { matchLabels: { team: "a" } } },
    });
    const namespace = (labels: Record<string, string>): UnstructuredObject => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "n", labels },
    });
    const ofNamespace = { kind: "Namespace", resource: "namespaces", namespace: "n", name: "n" };
    const bindings = [binding("b", "a", "Deny")];
    const messageFor = (changed: Partial<PolicyRequest>): string | undefined =>
      evaluate([selective], bindings, { ...ofNamespace, ...changed }).message;
    expect(messageFor({ object: namespace({ team: "a" }) })).toContain("denied by a");
    expect(messageFor({ object: namespace({ team: "b" }) })).toBeUndefined();
    expect(messageFor({ operation: "DELETE", object: undefined, oldObject: namespace({ team: "a" }) })).toContain(
      "denied by a",
    );
  });

  it("does not show a namespace to expressions on itself", () => {
    const looks = policy("a", { validations: [{ expression: "namespaceObject == null", message: "sees it" }] });
    const bindings = [binding("b", "a", "Deny")];
    const namespaceObject: UnstructuredObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "ns" } };
    expect(evaluate([looks], bindings, { namespaceObject }).message).toBe(because("a", "b", "sees it"));
    expect(evaluate([looks], bindings, { namespaceObject, resource: "namespaces" }).message).toBeUndefined();
  });

  it("gives the same decision when it is asked again, and follows a changed policy", () => {
    const evaluator = createPolicyEvaluator();
    const bindings = [binding("b", "a", "Deny")];
    const messageOf = (policies: UnstructuredObject[]): string | undefined =>
      evaluator.evaluate({ policies, bindings, request }).denied?.message;
    const first = [policy("a")];
    const second = [policy("a", { validations: [{ expression: "true" }] })];
    expect([messageOf(first), messageOf(first), messageOf(second)]).toEqual([
      because("a", "b", "denied by a"),
      because("a", "b", "denied by a"),
      undefined,
    ]);
  });
});
