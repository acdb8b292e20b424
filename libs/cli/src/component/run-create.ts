import { dirname, resolve } from "node:path";
import { buildComponents, openFolderTarget } from "@landscaper/components";
import { componentText, parseConstructor } from "@landscaper/ocm";
import { flagOption, type CommandRun } from "../command.ts";
import { parseDocuments } from "../render/parse-documents.ts";
import { InvocationError } from "../usage-error.ts";
import { readTextFile, registriesOf, requiredOption, schemaOption, withComponents } from "./open-component.ts";
import { packChart } from "./pack-chart.ts";

/** Makes component versions from a constructor file, in a common transport format. */
export const runCreate: CommandRun = async (input, context) => {
  const file = requiredOption(input, "constructor", "--constructor: expected a constructor file");
  const ctf = requiredOption(input, "ctf", "--ctf: expected the folder of a common transport format");
  const schemaVersion = schemaOption(input) ?? "v2";
  const documents = parseDocuments(readTextFile(file, "--constructor"), file);
  const constructors = documents.flatMap(({ value, where }) => parseConstructor(value, where));
  if (constructors.length === 0) throw new InvocationError(`${file}: expected components, found none`);
  await withComponents(input, context, async (components) => {
    const built = await buildComponents(constructors, await openFolderTarget(ctf), {
      folder: dirname(resolve(file)),
      readChart: packChart,
      schemaVersion,
      overwrite: flagOption(input, "overwrite"),
      signal: context.signal,
      resolveArtifact: flagOption(input, "skipExternalDigests")
        ? undefined
        : registriesOf(components, []).resolveArtifact,
    });
    for (const component of built) context.write(`created: component ${componentText(component)}\n`);
  });
};
