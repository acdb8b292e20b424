import { expect, it } from "@jest/globals";
import { ContentBudget } from "@landscaper/budget";
import { compileSchema } from "./compile-schema.ts";

const draft = "https://json-schema.org/draft/2019-09/schema";

it.each([
  [
    { $ref: "https://example.org/x" },
    '$ref: expected the address of a schema of the blueprint, found "https://example.org/x"',
  ],
  [
    { properties: { a: { $id: "a" }, b: { $id: "a" } } },
    'two of its parts have the address "a"; change the $id or $anchor of one',
  ],
  [
    { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } },
    'two of its parts have the address "#x"; change the $id or $anchor of one',
  ],
  [{ nullable: true }, "nullable: expected the keyword type beside it, found none"],
  [{ pattern: "(" }, "error parsing regexp: missing closing ): `(`"],
  [{ $recursiveRef: "x" }, "$recursiveRef: expected a reference that begins with #, found another one"],
  [{ enum: [] }, "enum: expected at least 1 entry, found an empty list"],
  [{ formatMinimum: "2026-01-01" }, "formatMinimum: expected the keyword format beside it, found none"],
  [{ format: "date", formatMinimum: { $data: "x" } }, "formatMinimum: expected a string, found another value"],
  [{ $id: 5 }, "a keyword has a value that cannot be used (TypeError); correct the schema"],
])("explains why %j cannot be compiled", (schema, problem) => {
  expect(() => compileSchema(schema, { draft, path: "imports.a", budget: new ContentBudget() })).toThrow(
    new Error(`imports.a: the schema is not valid: ${problem}`),
  );
});
