import { expect, it } from "@jest/globals";
import { maskQuoted } from "./mask-quoted.ts";

const known = 'name: app\nimports: ["plain", "a \\" b"]\n';

it.each([
  ["masks what is quoted", "no \"hunter2\", `hunter2`, or 'hunter2'", "no \"[...]\", `[...]`, or '[...]'"],
  ["keeps what is known", "no \"plain\" of 'app'", "no \"plain\" of 'app'"],
  ["keeps what is not quoted", "no hunter2", "no hunter2"],
  ["masks what only begins like something known", 'no "plainly"', 'no "[...]"'],
  ["takes an escaped quote for a part of the text", '"a \\" b" and "a \\" hunter2" end', '"a \\" b" and "[...]" end'],
  ["takes another quote for a part of the text", `"it's hunter2" isn't`, `"[...]" isn't`],
  ["masks texts of several lines", '"hunter2\nhunter3"', '"[...]"'],
])("maskQuoted %s", (_, message, want) => {
  expect(maskQuoted(message, known)).toBe(want);
});
