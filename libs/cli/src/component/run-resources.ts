import { componentText, identityText, selectElements } from "@landscaper/ocm";
import { textOption, type CommandRun } from "../command.ts";
import { formatColumns } from "../format-columns.ts";
import { UsageError } from "../usage-error.ts";
import { findComponent, locationOf, parseSelector, withComponents } from "./open-component.ts";

/** Prints a table of the resources of a component version. */
export const runResources: CommandRun = async (input, context) => {
  const location = locationOf(input);
  const text = textOption(input, "resource");
  const selector = text === undefined ? undefined : parseSelector(text);
  await withComponents(input, context, async (components) => {
    const { found } = await findComponent(components, location, context);
    const { resources } = found.descriptor;
    const selected = selector === undefined ? resources : selectElements(resources, selector);
    if (selector !== undefined && selected.length === 0) {
      const names = resources.map((resource) => identityText(resource, resources)).join("; ");
      throw new UsageError(
        `component ${componentText(found.descriptor)} has no resource ${text}. Its resources: ${names === "" ? "none" : names}`,
      );
    }
    const rows = selected.map((resource) => {
      const { version = "", type = "", relation = "", access } = resource;
      return [identityText(resource, resources), version, type, relation, access?.type ?? ""];
    });
    context.write(formatColumns([["NAME", "VERSION", "TYPE", "RELATION", "ACCESS"], ...rows]));
  });
};
