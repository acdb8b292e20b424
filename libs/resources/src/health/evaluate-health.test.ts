import { describe, expect, it } from "@jest/globals";
import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import { evaluateHealth, explainExpression } from "./evaluate-health.ts";
import { checkHealthRule } from "./health-expressions.ts";
import { rulesFor } from "./health-rule.ts";

const widget = (status?: unknown): UnstructuredObject => ({
  apiVersion: "example.org/v1",
  kind: "Widget",
  metadata: { name: "w", namespace: "n", generation: 3 },
  spec: { size: 2 },
  ...(status === undefined ? {} : { status }),
});
const rule = (more: Partial<HealthRule> = {}): HealthRule => ({
  name: "widgets",
  groups: ["example.org"],
  kinds: ["Widget"],
  current: 'status.phase == "Up"',
  ...more,
});

describe("the rules for an object", () => {
  it.each<readonly [string, Partial<HealthRule>, boolean]>([
    ["of its group and kind", {}, true],
    ["of another kind", { kinds: ["Gadget"] }, false],
    ["of all kinds", { kinds: ["*"] }, true],
    ["of another group", { groups: ["org"] }, false],
    ["of the groups below another one", { groups: ["*.org"] }, true],
    ["of the groups below its own", { groups: ["*.example.org"] }, false],
    ["of all groups", { groups: ["*"] }, true],
  ])("are those %s: %j", (_title, more, isFor) => {
    expect(rulesFor(widget(), [rule(more)])).toHaveLength(isFor ? 1 : 0);
  });

  it("are none of all groups for objects of Kubernetes itself", () => {
    const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" } };
    expect(rulesFor(object, [rule({ groups: ["*"], kinds: ["*"] })])).toEqual([]);
    expect(rulesFor(object, [rule({ groups: ["apps"], kinds: ["*"] })])).toHaveLength(1);
  });
});

describe("an object by a rule", () => {
  it.each<readonly [string, readonly HealthRule[], unknown, unknown]>([
    ["is current", [rule()], { phase: "Up" }, { status: "current" }],
    [
      "is not current yet",
      [rule()],
      { phase: "Down" },
      { status: "inProgress", message: "is not current by health rule widgets" },
    ],
    [
      "is not current while a field is missing",
      [rule()],
      undefined,
      { status: "inProgress", message: "is not current by health rule widgets: no such key: phase" },
    ],
    [
      "is in progress before it can have failed",
      [rule({ inProgress: "true", failed: "true" })],
      { phase: "Up" },
      { status: "inProgress", message: "is in progress by health rule widgets" },
    ],
    [
      "has failed before it can be current",
      [rule({ inProgress: "false", failed: "true" })],
      { phase: "Up" },
      { status: "failed", message: "has failed by health rule widgets" },
    ],
    [
      "has not failed when that has no value",
      [rule({ failed: "status.error.code > 0" })],
      { phase: "Up" },
      { status: "current" },
    ],
    ["is none of a rule that does not match", [rule({ match: "spec.size == 3" })], { phase: "Up" }, undefined],
    [
      "is judged by the first rule that matches",
      [rule({ match: "spec.size == 3" }), rule({ name: "second", current: "false" }), rule()],
      { phase: "Up" },
      { status: "inProgress", message: "is not current by health rule second" },
    ],
    [
      "is not current by what is no truth value",
      [rule({ current: "status.phase" })],
      { phase: "Up" },
      { status: "inProgress", message: "is not current by health rule widgets: is neither true nor false" },
    ],
    [
      "is told with the reasons of its conditions, without their messages",
      [rule({ current: "false" })],
      { conditions: [{ type: "Ready", status: "False", reason: "Broken", message: "password=secret" }] },
      { status: "inProgress", message: "is not current by health rule widgets: Ready is False (Broken)" },
    ],
    [
      "has whole numbers and the whole object",
      [rule({ current: "status.ready + 1 == spec.size && object.metadata.name == metadata.name && size(data) == 0" })],
      { ready: 1 },
      { status: "current" },
    ],
  ])("%s", (...[, rules, status, expected]) => {
    expect(evaluateHealth(widget(status), rules)).toEqual(expected);
  });
});

describe("an expression of a check", () => {
  it.each([
    ["status.phase == 'Up'", undefined],
    ["status.phase == 'Down'", "cel is false"],
    ["status.missing == 'Up'", "cel has no value: no such key: missing"],
  ])("%s: %s", (expression, problem) => {
    expect(explainExpression(widget({ phase: "Up" }), expression)).toBe(problem);
  });
});

describe("a rule", () => {
  it.each<readonly [Partial<HealthRule>, RegExp]>([
    [{ current: "status.phase ==" }, /^healthRules\[0\]\.current: expected an expression in CEL: /],
    [{ failed: "unknown.phase == 'x'" }, /^healthRules\[0\]\.failed: expected an expression in CEL: .*unknown/],
    [
      { inProgress: "1 + 1" },
      /^healthRules\[0\]\.inProgress: expected an expression that is true or false, found one of type int$/,
    ],
    [
      { match: "'text'" },
      /^healthRules\[0\]\.match: expected an expression that is true or false, found one of type string$/,
    ],
  ])("%j is refused with its field", (more, message) => {
    expect(() => checkHealthRule(rule(more), "healthRules[0]")).toThrow(message);
  });
});
