import { identityText } from "@landscaper/components";
import type { CommandRun } from "../command.ts";
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

function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
