import { downloadResource } from "@landscaper/components";
import type { Identity } from "@landscaper/ocm";
import { flagOption, type CommandRun } from "../command.ts";
import { InvocationError } from "../usage-error.ts";
import { findComponent, locationOf, registriesOf, requiredOption, withComponents } from "./open-component.ts";

/** Writes the content of a resource into a file, or the files of an archive into a folder. */
export const runDownload: CommandRun = async (input, context) => {
  const location = locationOf(input);
  const selector = parseSelector(requiredOption(input, "resource", "--resource: expected the name of a resource"));
  const output = requiredOption(input, "output", "--output: expected a file, or a folder with --unpack");
  await withComponents(input, context, async (components) => {
    const { found } = await findComponent(components, location, context);
    await downloadResource(found, {
      selector,
      output,
      unpack: flagOption(input, "unpack"),
      overwrite: flagOption(input, "overwrite"),
      openRegistry: registriesOf(components, [location.repository]).openRegistry,
      fetchChart: components.fetchChart,
      signal: context.signal,
    });
    context.write(`written: ${output}\n`);
  });
};

/** Reads `NAME[,key=value...]`. Throws InvocationError. */
function parseSelector(text: string): Identity {
  const [name = "", ...others] = text.split(",");
  const pairs = others.map((pair): readonly [string, string] => {
    const at = pair.indexOf("=");
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
    throw new InvocationError(`--resource: expected NAME[,key=value], found "${text}"`);
  });
  if (name === "") throw new InvocationError(`--resource: expected NAME[,key=value], found "${text}"`);
  return { ...Object.fromEntries(pairs), name };
}
