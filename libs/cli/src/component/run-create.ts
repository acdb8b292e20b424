import { dirname, resolve } from "node:path";
import { buildComponents, openFolderTarget } from "@landscaper/components";
import { componentText } from "@landscaper/ocm";
import { flagOption, listOption, textOption, type CommandInput, type CommandRun } from "../command.ts";
import { readTextFile } from "../read-text-file.ts";
import { InvocationError } from "../usage-error.ts";
import { localTools, readImages } from "./constructor/input-tools.ts";
import { readConstructors, templaters, type Templater } from "./constructor/read-constructors.ts";
import { joinSettings } from "./constructor/read-settings.ts";
import { registriesOf, requiredOption, schemaOption, withComponents } from "./open-component.ts";

/** Makes component versions from a constructor file, in a common transport format. */
export const runCreate: CommandRun = async (input, context) => {
  const file = requiredOption(input, "constructor", "--constructor: expected a constructor file");
  const ctf = requiredOption(input, "ctf", "--ctf: expected the folder of a common transport format");
  const schemaVersion = schemaOption(input) ?? "v2";
  const warn = (message: string): void => context.writeError(`warning: ${message}\n`);
  const settings = joinSettings({
    environment: flagOption(input, "addenv") ? context.environment : undefined,
    files: listOption(input, "settings").map((name) => ({ name, text: readTextFile(name, "--settings") })),
    words: input.args,
  });
  const images = readImages(listOption(input, "image"));
  const constructors = readConstructors(
    { name: file, text: readTextFile(file, "--constructor") },
    { templater: templaterOption(input), settings, version: textOption(input, "version"), warn },
  );
  await withComponents(input, context, async (components) => {
    const { resolveArtifact, openRegistry } = registriesOf(components, []);
    const { fetchChart, fetchUrl } = components;
    const built = await buildComponents(constructors, await openFolderTarget(ctf), {
      folder: dirname(resolve(file)),
      tools: { ...localTools, fetchChart, fetchUrl, openRegistry, settings, images },
      warn,
      schemaVersion,
      overwrite: flagOption(input, "overwrite"),
      signal: context.signal,
      resolveArtifact: flagOption(input, "skipExternalDigests") ? undefined : resolveArtifact,
    });
    for (const component of built) context.write(`created: component ${componentText(component)}\n`);
  });
};

function templaterOption(input: CommandInput): Templater {
  const name = textOption(input, "templater") ?? "subst";
  const found = templaters.find((one) => one === name);
  if (found !== undefined) return found;
  throw new InvocationError(`--templater: expected one of ${templaters.join(", ")}, found "${name}"`);
}
