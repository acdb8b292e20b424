import { expect, it } from "@jest/globals";
import { waitStrategyOf } from "./wait-strategy.ts";

it.each([
  ["3", undefined, "legacy"],
  ["4", undefined, "watcher"],
  ["3", "watcher", "watcher"],
  ["4", "legacy", "legacy"],
  ["4", "hookOnly", "hookOnly"],
] as const)("an item of Helm %s with waitStrategy %s waits by %s", (version, waitStrategy, expected) => {
  expect(waitStrategyOf({ waitStrategy }, version)).toBe(expected);
});
