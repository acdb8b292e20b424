import { describe, expect, it } from "@jest/globals";
import { WatchedMap } from "./watched-map.ts";

describe("WatchedMap", () => {
  it.each<[string, (map: WatchedMap) => unknown, number]>([
    ["a watched value", (map) => map.get("secret"), 1],
    ["another value", (map) => map.get("plain"), 0],
    ["the keys", (map) => [...map.keys()], 0],
    ["its size", (map) => map.size, 0],
    ["all values", (map) => [...map.values()], 1],
    ["all entries", (map) => [...map.entries()], 1],
    ["a copy", (map) => new Map(map), 1],
    ["each value", (map) => map.forEach(() => {}), 1],
  ])("tells of reading %s as often as it should", (_, read, want) => {
    let reads = 0;
    const entries = new Map([
      ["secret", "s"],
      ["plain", "p"],
    ]);
    read(
      new WatchedMap(
        entries,
        (key) => key === "secret",
        () => reads++,
      ),
    );
    expect(reads).toBe(want);
  });
});
