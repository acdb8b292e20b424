import { expect, it } from "@jest/globals";
import { createForeignErrors } from "@landscaper/testkit";
import { toReportable } from "./reportable-error.ts";

it.each(createForeignErrors())("reports $name of $library without its text", ({ library, name, error }) => {
  const { message, hint } = toReportable(error);
  expect(`${message} ${hint}`).not.toMatch(/words of a library|hunter2/);
  if (library === "fs") expect(message).toContain("the deployer cannot open /data/values.yaml: ");
  else expect(message).toContain(`internal error of the deployer: ${library === "yaml" ? "BAD_INDENT" : name}`);
  expect(hint).toMatch(/^[A-Z]|please report it/);
});
