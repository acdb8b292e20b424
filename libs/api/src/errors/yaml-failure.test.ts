import { expect, it } from "@jest/globals";
import { LineCounter, parseAllDocuments } from "yaml";
import { describeYamlFailure } from "./yaml-failure.ts";

it.each([
  ["a:\n\t- b: c", "a tab is used as indentation; indent with spaces"],
  ["a: b: c", "a second colon or a list follows a key in the same line; quote the value, or begin a new line"],
  ["a: 'b", "a character is missing, such as the colon after a key, or a closing quote, brace or bracket; add it"],
  ["a: b\nc", "a character is missing, such as the colon after a key, or a closing quote, brace or bracket; add it"],
  ["a: @b", "a character cannot start a value; quote the value"],
  [
    "a:\n  b: 1\n c: 2",
    "the indentation does not fit the lines before, or a closing brace or bracket is missing; correct it",
  ],
  ["- a\nb: c", "a character or word is in an unexpected place; correct it, or quote the value"],
])("explains %j", (text, words) => {
  const documents = parseAllDocuments(text, { lineCounter: new LineCounter(), logLevel: "error" });
  const [error] = "empty" in documents ? [] : documents.flatMap(({ errors }) => errors);
  expect(describeYamlFailure(error?.code ?? "")).toBe(words);
});

it("explains an unknown code", () => {
  expect(describeYamlFailure("NEW_CODE")).toBe("the parser cannot read it; simplify it");
});
