import { expect, it } from "@jest/globals";
import { judgeMistake } from "../../src/mistakes/judge-mistake.ts";

const mistake = { place: /here/, cause: /wrong/, remedy: /correct/, misleading: /timeout/ };

it.each([
  ["place, cause and remedy in different outputs", ["here: wrong", "correct it"], { score: 2, lacks: [] }],
  ["two of three", ["here: wrong", ""], { score: 1, lacks: ["remedy"] }],
  ["one of three", ["", "wrong"], { score: 1, lacks: ["place", "remedy"] }],
  ["nothing", ["Failed", "Failed"], { score: 0, lacks: ["place", "cause", "remedy"] }],
  ["a misleading text beside all three", ["here: wrong", "correct the timeout"], { score: 1, lacks: ["misleading"] }],
  ["a word of the program beside all three", ["here: wrong", "correct undefined"], { score: 1, lacks: ["misleading"] }],
  ["only a misleading text", ["timeout", ""], { score: 0, lacks: ["place", "cause", "remedy", "misleading"] }],
] as const)("scores %s", (_what, [describe, why], verdict) => {
  expect(judgeMistake(mistake, { describe, tree: "", why })).toEqual(verdict);
});
