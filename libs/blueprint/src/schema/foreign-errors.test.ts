import { expect, it } from "@jest/globals";
import { createForeignErrors } from "@landscaper/testkit";
import { explainCompileError } from "./explain-compile-error.ts";
import { explainSchemaErrors } from "./explain-schema-errors.ts";

it.each(createForeignErrors())("explains $name of $library in a schema without its text", ({ error }) => {
  expect(explainCompileError(error)).toMatch(/^a keyword has a value that cannot be used \(\w+\); correct the schema$/);
});

it("explains an unknown keyword of a library without its text", () => {
  const error = {
    keyword: "newKeyword",
    instancePath: "/a",
    schemaPath: "#",
    params: {},
    message: "words of a library",
  };
  expect(explainSchemaErrors([error], "imports.x")).toBe(
    "imports.x.a: expected a value that fits the keyword newKeyword",
  );
});
