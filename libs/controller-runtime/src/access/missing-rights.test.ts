import { describe, expect, it } from "@jest/globals";
import type { Permission } from "@landscaper/api";
import { covers, describePermissions, findUncovered, type ReviewedRule } from "./missing-rights.ts";

const rule = (fields: Partial<ReviewedRule>): ReviewedRule => ({
  verbs: ["get"],
  apiGroups: [""],
  resources: ["secrets"],
  resourceNames: [],
  ...fields,
});
const permission = (fields: Partial<Permission> = {}): Permission => ({
  verb: "get",
  group: "",
  resource: "secrets",
  ...fields,
});
const status = permission({ resource: "secrets/status" });

describe("a rule of the API server", () => {
  it.each([
    { title: "allows what it names", args: [{}, permission()], expected: true },
    { title: "allows no other verb", args: [{}, permission({ verb: "list" })], expected: false },
    { title: "allows no other group", args: [{}, permission({ group: "apps" })], expected: false },
    { title: "allows no other resource", args: [{}, permission({ resource: "pods" })], expected: false },
    {
      title: "with stars allows everything",
      args: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, status],
      expected: true,
    },
    { title: "about objects allows no subresource", args: [{}, status], expected: false },
    { title: "about a subresource allows it", args: [{ resources: ["secrets/status"] }, status], expected: true },
    {
      title: "about a subresource of everything allows it",
      args: [{ resources: ["*/status"] }, status],
      expected: true,
    },
    {
      title: "about a subresource of everything allows no object",
      args: [{ resources: ["*/status"] }, permission()],
      expected: false,
    },
    { title: "for one name allows not all", args: [{ resourceNames: ["a"] }, permission()], expected: false },
    { title: "for one name allows it", args: [{ resourceNames: ["a"] }, permission({ name: "a" })], expected: true },
    {
      title: "for one name allows no other",
      args: [{ resourceNames: ["a"] }, permission({ name: "b" })],
      expected: false,
    },
    { title: "for all names allows one", args: [{}, permission({ name: "a" })], expected: true },
  ] as const)("$title", ({ args: [fields, wanted], expected }) => {
    expect(covers(rule(fields), wanted)).toBe(expected);
  });

  it("leaves over what no rule allows", () => {
    const rights = [{ group: "", resources: ["secrets"], verbs: ["get", "list"], resourceNames: ["a", "b"], why: "" }];
    const rules = [rule({}), rule({ verbs: ["list"], resourceNames: ["a"] })];
    expect(findUncovered(rights, rules)).toEqual([{ verb: "list", group: "", resource: "secrets", name: "b" }]);
  });

  it("is asked for in words that a Role has, too", () => {
    const missing = [
      permission(),
      permission({ verb: "list" }),
      permission({ verb: "update", group: "landscaper.gardener.cloud", resource: "deployitems/status" }),
      permission({ verb: "get", group: "coordination.k8s.io", resource: "leases", name: "core" }),
    ];
    expect(describePermissions(missing)).toBe(
      'get, list secrets; update deployitems/status (landscaper.gardener.cloud); get leases (coordination.k8s.io) "core"',
    );
  });
});
