import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseDocument, stringify } from "yaml";
import { textOption } from "../command.ts";
import type { CommandDefinition } from "../command.ts";
import { parseRenderImports } from "../render/parse-render-imports.ts";
import { readFolder } from "../render/read-folder.ts";
import { renderBlueprint } from "../render/render-blueprint.ts";
import { UsageError } from "../usage-error.ts";

/** `landscaper render`: what a blueprint makes of its imports, without a cluster. */
export const renderCommand: CommandDefinition = {
  name: "render",
  summary: "print the deploy items and sub-installations that a blueprint renders",
  argument: { syntax: "<folder>", description: "folder with blueprint.yaml" },
  options: [
    {
      syntax: "-f, --imports <file>",
      description: "YAML with data: {NAME: VALUE}, targets: {NAME: {type, config}}, mappings: {NAME: TEMPLATE}",
    },
    { syntax: "--name <name>", description: "name of the Installation (default: installation)" },
    { syntax: "-n, --namespace <name>", description: "its namespace (default: default)" },
  ],
  run: async (input, { write, now }) => {
    const file = textOption(input, "imports");
    const rendered = renderBlueprint({
      name: textOption(input, "name") ?? "installation",
      namespace: textOption(input, "namespace") ?? "default",
      tree: readFolder(input.argument ?? "."),
      imports: parseRenderImports(file === undefined ? {} : await readYaml(file)),
      now,
      random: (bytes) => randomBytes(bytes),
    });
    write(stringify(rendered, { aliasDuplicateObjects: false }));
  },
};

async function readYaml(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: ${String(Reflect.get(Object(error), "message") ?? error)}`);
  }
  // The rules of YAML 1.1 for plain scalars, as kubectl has them.
  const document = parseDocument(text, { version: "1.1" });
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(`${file}: ${error.message}`);
  return document.toJS() as unknown;
}
