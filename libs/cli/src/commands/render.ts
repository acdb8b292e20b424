import { randomBytes } from "node:crypto";
import { redactLeaves } from "@landscaper/api";
import { secretsOf } from "@landscaper/blueprint";
import { stringify } from "yaml";
import { flagOption, listOption, textOption } from "../command.ts";
import type { CommandDefinition, CommandInput } from "../command.ts";
import { loadRenderInput, type RenderInput } from "../render/load-render-input.ts";
import { maskDerived } from "../render/mask-derived.ts";
import { renderBlueprint, wantedExports, type RenderedBlueprint } from "../render/render-blueprint.ts";
import { InvocationError } from "../usage-error.ts";

/** `landscaper render`: what a blueprint makes of its imports, without a cluster. */
export const renderCommand: CommandDefinition = {
  name: "render",
  summary: "print the deploy items, sub-installations and exports that a blueprint renders, without a cluster",
  argument: { syntax: "[folder]", description: "folder with blueprint.yaml, as --blueprint" },
  options: [
    { syntax: "--blueprint <folder>", description: "folder with blueprint.yaml (default: that of the Installation)" },
    { syntax: "--installation <file>", description: "manifest of an Installation: what is imported and exported" },
    {
      syntax: "-f, --imports <file...>",
      description:
        "manifests of DataObjects, Targets, Secrets and ConfigMaps; or YAML with data: {NAME: VALUE}, targets: {NAME: {type, config}}, mappings: {NAME: TEMPLATE}",
      isList: true,
    },
    {
      syntax: "--exports <file>",
      description:
        "what is there when exports are rendered: YAML with deployItems: {NAME: VALUE}, dataObjects: {NAME: VALUE}, targets: {NAME: {type, config}}",
    },
    {
      syntax: "--name <name>",
      description: "name of the Installation (default: that of the manifest, else installation)",
    },
    { syntax: "-n, --namespace <name>", description: "its namespace (default: that of the manifest, else default)" },
    { syntax: "--show-secrets", description: "print what derives from Secrets and Targets instead of [...]" },
  ],
  run: async (input, { write, writeError, now }) => {
    const read = await loadRenderInput({
      blueprint: blueprintFolder(input),
      installation: textOption(input, "installation"),
      imports: listOption(input, "imports"),
      exports: textOption(input, "exports"),
      name: textOption(input, "name"),
      namespace: textOption(input, "namespace"),
    });
    const rendered = renderBlueprint(read, { now, random: (bytes) => randomBytes(bytes) });
    const value = describe(rendered.value, read);
    const shown = flagOption(input, "showSecrets") ? value : maskDerived({ value, other: rendered.shadow });
    for (const { message } of rendered.warnings)
      writeError(`warning: ${redactLeaves(message, secretsOf(read.given))}\n`);
    write(stringify(shown, { aliasDuplicateObjects: false }));
    if (rendered.value.exports === undefined && hasExports(read)) {
      writeError("the exports are not rendered: say with --exports what deploy items and sub-installations export\n");
    }
  },
};

function blueprintFolder(input: CommandInput): string | undefined {
  const option = textOption(input, "blueprint");
  if (option !== undefined && input.argument !== undefined) {
    throw new InvocationError(`--blueprint: expected no folder beside it, found "${input.argument}"`);
  }
  const folder = option ?? input.argument;
  return folder ?? (textOption(input, "installation") === undefined ? "." : undefined);
}

function hasExports(input: RenderInput): boolean {
  const { data, targets } = wantedExports(input);
  return data.length + targets.length > 0;
}

/** Exports only where there are any. */
function describe({ deployItems, subinstallations, exports }: RenderedBlueprint, input: RenderInput): unknown {
  return { deployItems, subinstallations, ...(exports !== undefined && hasExports(input) ? { exports } : {}) };
}
