import { expect, it } from "@jest/globals";
import { chooseSample } from "./random-sample.ts";

const letters = "abcdefghijklmnopqrstuvwxyz".split("");

it("chooses the same elements for the same seed, in their order", () => {
  const chosen = chooseSample(letters, 10, 7);
  expect(new Set(chosen).size).toBe(10);
  expect(chosen).toEqual(chosen.toSorted());
  expect(chooseSample(letters, 10, 7)).toEqual(chosen);
});

it("chooses other elements for another seed", () => {
  expect(chooseSample(letters, 10, 8)).not.toEqual(chooseSample(letters, 10, 7));
});

it("returns all elements if there are not more", () => {
  expect(chooseSample(letters, 1_000, 1)).toEqual(letters);
});
