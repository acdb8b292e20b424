import { formatDescriptor } from "@landscaper/ocm";
import { stringify } from "yaml";
import { textOption, type CommandRun } from "../command.ts";
import { escapeJson } from "../output/clean-text.ts";
import { escapeYaml } from "../output/escape-yaml.ts";
import { isRaw } from "../output/raw-option.ts";
import { InvocationError } from "../usage-error.ts";
import { findComponent, locationOf, schemaOption, withComponents } from "./open-component.ts";

/** Prints the descriptor of a component version. */
export const runGet: CommandRun = async (input, context) => {
  const location = locationOf(input);
  const format = textOption(input, "output") ?? "yaml";
  if (format !== "yaml" && format !== "json") throw new InvocationError(`-o: expected yaml or json, found "${format}"`);
  const schema = schemaOption(input);
  await withComponents(input, context, async (components) => {
    const { found } = await findComponent(components, location, context);
    const document = formatDescriptor(found.descriptor, schema ?? found.descriptor.schemaVersion);
    const raw = isRaw(input);
    if (format === "yaml") context.writeContent(stringify(document), { isRaw: raw, clean: escapeYaml });
    else context.writeContent(`${JSON.stringify(document, undefined, 2)}\n`, { isRaw: raw, clean: escapeJson });
  });
};
