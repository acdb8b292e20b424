import { suggestName } from "@landscaper/api";
import { helmFunctionNames } from "@landscaper/helm";

const unknownFunction = /: function "([^"\\]+)" not defined$/;
const unknownTemplate =
  /: (?:template: no template "([^"\\]+)" associated with template "gotpl"|template "([^"\\]+)" not defined)$/;

/**
 * Returns `: did you mean "NAME"?` for a message about an unknown function or template of a chart, "" for any other. `templates` lists the templates
 * that the files of the chart define, not those that `tpl` defines: their names may derive from values.
 */
export function suggestMeant(message: string, templates: () => readonly string[]): string {
  const called = unknownFunction.exec(message)?.[1];
  if (called !== undefined) return suggestName(called, helmFunctionNames);
  const [, included, inserted] = unknownTemplate.exec(message) ?? [];
  const name = included ?? inserted;
  return name === undefined ? "" : suggestName(name, templates());
}
