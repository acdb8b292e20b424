import { expect, it } from "@jest/globals";
import { createBlueprint, readBlueprint } from "./create-blueprint.ts";
import { filesFromTree } from "./blueprint-files.ts";
import { missingFile } from "./missing-file.ts";

const { files } = createBlueprint({ "blueprint.yaml": "", "items.yaml": "", templates: { "web.yaml": "" } });

it.each([
  ["itmes.yaml", ': did you mean "items.yaml"?'],
  ["templates/wbe.yaml", ': did you mean "templates/web.yaml"?'],
  ["/templates/wbe.yaml", ': did you mean "templates/web.yaml"?'],
  ["other/web.yaml", ""],
  ["items.yaml/web.yaml", ""],
  ["unlike", ""],
])("names the file that is most like %s", (path, meant) => {
  const message = `deployExecutions[0].file: the blueprint has no file "${path}"${meant}`;
  const expected = { reason: "BlueprintFileMissing", message, at: [{ file: path }] };
  expect(missingFile(files, path, { where: "deployExecutions[0].file" })).toMatchObject(expected);
});

it("has the reason of the step that needs the file", () => {
  expect(missingFile(files, "a", { where: "b", reason: "TemplatingFailed" })).toMatchObject({
    reason: "TemplatingFailed",
    message: 'b: the blueprint has no file "a"',
    hint: "add the file to the blueprint, or correct its path",
  });
});

it.each([
  ["blueprint.yml", "blueprint.yml. Rename it"],
  ["Blueprint.yaml", "Blueprint.yaml. Rename it"],
  ["other.yaml", "none"],
])("asks to rename a misnamed blueprint.yaml: %s", (name, found) => {
  expect(() => readBlueprint(filesFromTree({ [name]: "" }, "b"), "b")).toThrow(
    `b: expected a file blueprint.yaml, found ${found}`,
  );
});
