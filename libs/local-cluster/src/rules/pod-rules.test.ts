import { describe, expect, it } from "@jest/globals";
import { uniquePairs } from "./pod-rules.ts";
import { volumeRules } from "./volume-rules.ts";

describe("uniquePairs", () => {
  const [first, second] = [
    { topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
    { topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
  ];
  it.each<[title: string, list: unknown, count: number]>([
    ["no list", undefined, 0],
    ["different pairs", [first, second], 0],
    ["a pair twice", [first, second, first], 1],
    ["a pair three times", [first, first, first], 2],
  ])("reports for %s %#", (_title, list, count) => {
    expect(uniquePairs(list, "spec.topologySpreadConstraints", {})).toHaveLength(count);
  });
});

describe("paths of projected volumes", () => {
  const config = (...paths: readonly string[]) => ({
    configMap: { name: "a", items: paths.map((path) => ({ key: "k", path })) },
  });
  const secret = (path: string) => ({ secret: { name: "a", items: [{ key: "k", path }] } });
  it.each<[title: string, sources: readonly object[], duplicates: readonly string[]]>([
    ["different paths", [config("a", "b"), secret("c")], []],
    ["a path twice in one source", [config("a", "a")], ["a"]],
    ["a path in two sources", [config("a", "b"), secret("b")], ["b"]],
    ["a path of a token", [config("a"), { serviceAccountToken: { path: "a", expirationSeconds: 600 } }], ["a"]],
  ])("are compared across sources: %s", (_title, sources, duplicates) => {
    const errors = volumeRules["VolumeSource"]?.whole?.({ projected: { sources } }, "spec.volumes[0]", []) ?? [];
    expect(errors.map(({ message }) => message)).toEqual(
      duplicates.map((path) => `Invalid value: "${path}": conflicting duplicate paths`),
    );
  });
});
