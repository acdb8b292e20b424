import { parseComponentLocation } from "@landscaper/components";
import type { CommandRun } from "../command.ts";
import { cleanLine } from "../output/clean-text.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import { withComponents } from "./open-component.ts";

/** Prints the versions of a component, or the components of a repository in files, one a line. */
export const runList: CommandRun = async (input, context) => {
  const { argument } = input;
  if (argument === undefined) throw new InvocationError("expected REPOSITORY or REPOSITORY//COMPONENT");
  const location = argument.replace(/^[a-z]+:\/\//, "").includes("//") ? parseComponentLocation(argument) : undefined;
  await withComponents(input, context, async (components) => {
    const repository = await components.open(location?.repository ?? argument);
    if (location === undefined && repository.listNames === undefined) {
      throw new UsageError(`${argument}: a registry does not list its components; name one: ${argument}//COMPONENT`);
    }
    const { signal } = context;
    const lines =
      location === undefined
        ? await repository.listNames?.()
        : await repository.listVersions(location.name, { signal });
    if (location !== undefined && lines?.length === 0) {
      throw new UsageError(`${location.repository}: there is no component ${location.name}`);
    }
    for (const line of lines ?? []) context.write(`${cleanLine(line)}\n`);
  });
};
