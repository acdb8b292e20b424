import { expect, it } from "@jest/globals";
import { unquote } from "./unquote.ts";

it.each<[quoted: string, text: string | undefined]>([
  [String.raw`"\a\b\f\n\r\t\v\\"`, "\u0007\b\f\n\r\t\v\\"],
  [String.raw`"\x41\u00e9\U0001f600\101"`, "Aé😀A"],
  [String.raw`"\U0010ffff"`, "\u{10ffff}"],
  [String.raw`"\U00110000"`, undefined],
  [String.raw`"\U00110000\x41"`, undefined],
  [String.raw`'\''`, "'"],
  [String.raw`"\'"`, undefined],
  [String.raw`"\q"`, undefined],
  [String.raw`"a\qb\n"`, undefined],
  ['""', ""],
])("unquotes %s", (quoted, text) => {
  expect(unquote(quoted)).toBe(text);
});
