import { describe, expect, it } from "@jest/globals";
import { decideScopes, type ScopeQuestion } from "./decide-scopes.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const wide: ScopeQuestion["wanted"] = new Set([undefined]);

describe("the namespaces that are watched", () => {
  it.each<readonly [string, ScopeQuestion, ReadonlySet<string | undefined>]>([
    ["none when nobody waits", { isNamespaced: true, wanted: new Set(), wide: "standing" }, new Set()],
    ["each of a few", { isNamespaced: true, wanted: new Set(names(8)), wide: undefined }, new Set(names(8))],
    ["all at once where there are many", { isNamespaced: true, wanted: new Set(names(9)), wide: undefined }, wide],
    ["all when somebody asks", { isNamespaced: true, wanted: new Set(["a", undefined]), wide: "opening" }, wide],
    ["all as long as that stands", { isNamespaced: true, wanted: new Set(["a"]), wide: "standing" }, wide],
    ["all also while that is broken", { isNamespaced: true, wanted: new Set(names(9)), wide: "lost" }, wide],
    [
      "each, where all are not allowed, which is tried again",
      { isNamespaced: true, wanted: new Set(names(9)), wide: "refused" },
      new Set([undefined, ...names(9)]),
    ],
    [
      "few after many that were not allowed",
      { isNamespaced: true, wanted: new Set(["a"]), wide: "refused" },
      new Set(["a"]),
    ],
    ["none for a kind without", { isNamespaced: false, wanted: new Set(["a", "b"]), wide: undefined }, wide],
  ])("are %s", (_name, question, scopes) => {
    expect([...decideScopes(question)]).toEqual([...scopes]);
  });
});
