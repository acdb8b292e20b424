import { expect, it } from "@jest/globals";
import { findAnnotationProblems } from "./annotation-problems.ts";

const unknown = (key: string, meant = ""): string =>
  `the annotation ${key} is not known to Landscaper and has no effect${meant}`;
const operation = (found: string, meant = ""): string =>
  `the annotation landscaper.gardener.cloud/operation has no effect: expected one of reconcile, interrupt, test-reconcile, refresh, plan, found "${found}"${meant}`;

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
  ["a key of a deployer of others", { "own.deployer.landscaper.gardener.cloud/x": "y" }, []],
])("finds what is wrong with %s", (_what, annotations, problems) => {
  expect(findAnnotationProblems(annotations)).toEqual(problems);
});
