import { identityText } from "@landscaper/components";
import type { CommandRun } from "../command.ts";
import { formatColumns } from "../format-columns.ts";
import { findComponent, locationOf, withComponents } from "./open-component.ts";

/** Prints a table of the resources of a component version. */
export const runResources: CommandRun = async (input, context) => {
  const location = locationOf(input);
  await withComponents(input, context, async (components) => {
    const { found } = await findComponent(components, location, context);
    const rows = found.descriptor.resources.map((resource) => {
      const { version = "", type = "", relation = "", access } = resource;
      return [identityText(resource), version, type, relation, access?.type ?? ""];
    });
    context.write(formatColumns([["NAME", "VERSION", "TYPE", "RELATION", "ACCESS"], ...rows]));
  });
};
