import { describe, expect, it } from "@jest/globals";
import type { AccessRequest, PolicyRule } from "./authorizer.ts";
import { ruleAllows } from "./authorizer.ts";

const rule = (fields: Partial<PolicyRule>): PolicyRule => ({
  verbs: ["get"],
  apiGroups: [""],
  resources: ["pods"],
  resourceNames: [],
  nonResourceURLs: [],
  ...fields,
});
const access = (fields: object = {}): AccessRequest => ({
  type: "resource",
  verb: "get",
  group: "",
  resource: "pods",
  subresource: "",
  namespace: "n",
  name: "p",
  ...fields,
});

describe("ruleAllows", () => {
  const cases: readonly (readonly [string, Partial<PolicyRule>, AccessRequest, boolean])[] = [
    ["what the rule says", {}, access(), true],
    ["another verb", {}, access({ verb: "list" }), false],
    ["any verb", { verbs: ["*"] }, access({ verb: "list" }), true],
    ["another resource", {}, access({ resource: "secrets" }), false],
    ["any resource", { resources: ["*"] }, access({ resource: "secrets", subresource: "status" }), true],
    ["another group", {}, access({ group: "apps" }), false],
    ["any group", { apiGroups: ["*"] }, access({ group: "apps" }), true],
    ["a subresource by its own name only", {}, access({ subresource: "log" }), false],
    ["a named subresource", { resources: ["pods/log"] }, access({ subresource: "log" }), true],
    ["a subresource of anything", { resources: ["*/scale"] }, access({ resource: "x", subresource: "scale" }), true],
    ["a named object", { resourceNames: ["p"] }, access(), true],
    ["an object of another name", { resourceNames: ["q"] }, access(), false],
    [
      "a list, when names are given",
      { resourceNames: ["p"], verbs: ["list"] },
      access({ verb: "list", name: "" }),
      false,
    ],
    ["a path", { nonResourceURLs: ["/healthz"] }, { type: "path", verb: "get", path: "/healthz" }, true],
    ["a path below", { nonResourceURLs: ["/api/*"] }, { type: "path", verb: "get", path: "/api/v1" }, true],
    ["another path", { nonResourceURLs: ["/api"] }, { type: "path", verb: "get", path: "/apis" }, false],
  ];
  for (const [what, fields, request, want] of cases) {
    it(`says ${want} to ${what}`, () => {
      expect(ruleAllows(rule(fields), request)).toBe(want);
    });
  }
});
