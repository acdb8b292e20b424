import { describe, expect, it } from "@jest/globals";
import type { HealthRule, UnstructuredObject } from "@landscaper/api";
import { evaluateHealth, explainExpression } from "./evaluate-health.ts";
import { checkHealthRules } from "./health-expressions.ts";
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

describe("the health rules", () => {
  it.each<readonly [string, Partial<HealthRule>, boolean]>([
    ["include a rule of its group and kind", {}, true],
    ["exclude a rule of another kind", { kinds: ["Gadget"] }, false],
    ["include a rule of all kinds", { kinds: ["*"] }, true],
    ["exclude a rule of another group", { groups: ["org"] }, false],
    ["include a rule of the groups below a parent", { groups: ["*.org"] }, true],
    ["exclude a rule of the groups below its own", { groups: ["*.example.org"] }, false],
    ["include a rule of all groups", { groups: ["*"] }, true],
  ])("of an object %s: %j", (_title, more, isFor) => {
    expect(rulesFor(widget(), [rule(more)])).toHaveLength(isFor ? 1 : 0);
  });

  it("of an object of Kubernetes itself exclude a rule of all groups", () => {
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
      "has not failed when the expression has no value",
      [rule({ failed: "status.error.code > 0" })],
      { phase: "Up" },
      { status: "current" },
    ],
    ["has no health by a rule that does not match", [rule({ match: "spec.size == 3" })], { phase: "Up" }, undefined],
    [
      "is judged by the first rule that matches",
      [rule({ match: "spec.size == 3" }), rule({ name: "second", current: "false" }), rule()],
      { phase: "Up" },
      { status: "inProgress", message: "is not current by health rule second" },
    ],
    [
      "is not current when the value is not a boolean",
      [rule({ current: "status.phase" })],
      { phase: "Up" },
      { status: "inProgress", message: "is not current by health rule widgets: expected true or false, found string" },
    ],
    [
      "is described with the reasons of its conditions, without their messages",
      [rule({ current: "false" })],
      { conditions: [{ type: "Ready", status: "False", reason: "Broken", message: "password=secret" }] },
      { status: "inProgress", message: "is not current by health rule widgets: Ready is False (Broken)" },
    ],
    [
      "is current when it is paused, whatever its status",
      [rule({ paused: "spec.size == 2", failed: "true" })],
      { observedGeneration: 1 },
      { status: "current" },
    ],
    [
      "is in progress when its status is about a former generation",
      [rule({ current: "true" })],
      { observedGeneration: 1 },
      { status: "inProgress", message: "its controller has not seen the last change yet" },
    ],
    [
      "is described without invalid types and reasons of conditions",
      [rule({ current: "false" })],
      {
        conditions: [
          { type: "pass word", status: "False" },
          { type: "Ready", status: "secret" },
          { type: "Synced", status: "False", reason: "a b" },
          { type: "x".repeat(200), status: "False" },
        ],
      },
      { status: "inProgress", message: "is not current by health rule widgets: Synced is False" },
    ],
    [
      "has integers and the whole object as variables",
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
    ["status.missing == 'Up'", "cel cannot be evaluated: no such key: missing"],
    // Messages quote no values of the object.
    ["{'a': 1}[status.phase] == 1", "cel cannot be evaluated: no such key"],
    ["bool(status.phase)", "cel cannot be evaluated: an operation failed"],
    ["duration(status.phase) == duration('1s')", "cel cannot be evaluated: an operation failed"],
    ["''.matches('(' + status.phase)", "cel cannot be evaluated: an operation failed"],
    ["[1][5] == 1", "cel cannot be evaluated: index out of bounds"],
    ["status.phase", "cel cannot be evaluated: expected true or false, found string"],
  ])("%s: %s", (expression, problem) => {
    expect(explainExpression(widget({ phase: "Up" }), expression)).toBe(problem);
  });
});

describe("a rule", () => {
  it.each<readonly [Partial<HealthRule>, RegExp]>([
    [{ current: "status.phase ==" }, /^healthRules\[0\]\.current \(rule widgets\): expected an expression in CEL: /],
    [
      { failed: "unknown.phase == 'x'" },
      /^healthRules\[0\]\.failed \(rule widgets\): expected an expression in CEL: .*unknown/,
    ],
    [
      { inProgress: "1 + 1" },
      /^healthRules\[0\]\.inProgress \(rule widgets\): expected an expression that is true or false, found one of type int$/,
    ],
    [
      { match: "'text'" },
      /^healthRules\[0\]\.match \(rule widgets\): expected an expression that is true or false, found one of type string$/,
    ],
  ])("%j is refused with its field", (more, message) => {
    expect(() => checkHealthRules([rule(more)])).toThrow(message);
  });

  it.each<readonly [string, RegExp]>([
    [`${"!".repeat(4000)}true`, /: (the expression is nested too deeply|expected an expression in CEL: )/],
    [`(${"1+".repeat(1300)}1)==1`, /: expected an expression in CEL: /],
    [`''.matches('${"a{0,999}".repeat(2)}')`, /: expected at most 1000 counted repetitions in patterns, found 1998$/],
  ])("that costs too much to compile is refused", (current, message) => {
    expect(() => checkHealthRules([rule({ current })])).toThrow(message);
  });

  it("is refused when another one has its name", () => {
    expect(() => checkHealthRules([rule(), rule()])).toThrow(
      "healthRules[1].name: expected a name of its own, found widgets again",
    );
  });
});
