import { expect, it } from "@jest/globals";
import { findAnnotationProblems } from "./annotation-problems.ts";

const unknown = (key: string, meant = ""): string =>
  `the annotation ${key} is not known to Landscaper and has no effect${meant}`;
const value = (
  ...[key, expected, found, meant = ""]: [key: string, expected: string, found: string, meant?: string]
): string => `the annotation ${key} has no effect: expected ${expected}, found "${found}"${meant}`;
const operation = (found: string, meant = ""): string =>
  value(
    "landscaper.gardener.cloud/operation",
    "one of reconcile, interrupt, test-reconcile, refresh, plan, plan-other-helm, plan-helm-3, plan-helm-4",
    found,
    meant,
  );
const booleanKeys = [
  "landscaper.gardener.cloud/reconcile-if-changed",
  "landscaper.gardener.cloud/delete-without-uninstall",
  "landscaper.gardener.cloud/delete-ignore-successors",
  "landscaper.gardener.cloud/allow-empty",
  "landscaper.gardener.cloud/allow-prune",
  "landscaper.gardener.cloud/sensitive",
  "container.deployer.landscaper.gardener.cloud/force-cleanup",
  "continuousreconcile.extensions.landscaper.gardener.cloud/active",
];

it.each<readonly [string, Readonly<Record<string, string>> | undefined, readonly string[]]>([
  ["no annotations", undefined, []],
  ["annotations of others", { "example.org/operaton": "x", plain: "x" }, []],
  ["a valid operation", { "landscaper.gardener.cloud/operation": "reconcile" }, []],
  ["an empty operation", { "landscaper.gardener.cloud/operation": "" }, []],
  [
    "a misspelt operation",
    { "landscaper.gardener.cloud/operation": "reconcil" },
    [operation("reconcil", '; did you mean "reconcile"?')],
  ],
  ["an operation like no other", { "landscaper.gardener.cloud/operation": "go" }, [operation("go")]],
  [
    "a misspelt key",
    { "landscaper.gardener.cloud/operaton": "reconcile" },
    [unknown("landscaper.gardener.cloud/operaton", '; did you mean "landscaper.gardener.cloud/operation"?')],
  ],
  ["an unknown key of the group", { "landscaper.gardener.cloud/zzz": "x" }, [unknown("landscaper.gardener.cloud/zzz")]],
  [
    "a misspelt key with another prefix of the group",
    { "deployers.landscaper.gardener.cloud/abandon-item": "e" },
    [
      unknown(
        "deployers.landscaper.gardener.cloud/abandon-item",
        '; did you mean "deployers.landscaper.gardener.cloud/abandon-items"?',
      ),
    ],
  ],
  [
    "a known name with a wrong prefix of the group",
    { "deployers.landscaper.gardener.cloud/allow-empty": "true" },
    [
      unknown(
        "deployers.landscaper.gardener.cloud/allow-empty",
        '; did you mean "landscaper.gardener.cloud/allow-empty"?',
      ),
    ],
  ],
  ...booleanKeys.flatMap((key): [string, Readonly<Record<string, string>>, readonly string[]][] => [
    [`${key}: true`, { [key]: "true" }, []],
    [`${key}: false`, { [key]: "false" }, []],
    [`${key}: yes`, { [key]: "yes" }, [value(key, "one of true, false", "yes")]],
    [`${key} without a value`, { [key]: "" }, [value(key, "one of true, false", "")]],
    [`${key}: True`, { [key]: "True" }, [value(key, "one of true, false", "True", '; did you mean "true"?')]],
  ]),
  ["a valid policy", { "landscaper.gardener.cloud/reconcile-policy": "on-change" }, []],
  [
    "a misspelt policy",
    { "landscaper.gardener.cloud/reconcile-policy": "onchange" },
    [value("landscaper.gardener.cloud/reconcile-policy", "on-change", "onchange", '; did you mean "on-change"?')],
  ],
  ["a valid field validation", { "landscaper.gardener.cloud/field-validation": "Strict" }, []],
  [
    "an unknown field validation",
    { "landscaper.gardener.cloud/field-validation": "Error" },
    [value("landscaper.gardener.cloud/field-validation", "one of Ignore, Warn, Strict", "Error")],
  ],
  ["a key of a deployer of others", { "own.deployer.landscaper.gardener.cloud/x": "y" }, []],
])("finds what is wrong with %s", (_what, annotations, problems) => {
  expect(findAnnotationProblems(annotations)).toEqual(problems);
});
