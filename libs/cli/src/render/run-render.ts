import { randomBytes } from "node:crypto";
import { redactLeaves } from "@landscaper/api";
import { secretsOf } from "@landscaper/blueprint";
import { stringify } from "yaml";
import { flagOption, listOption, textOption } from "../command.ts";
import type { CommandInput, CommandRun } from "../command.ts";
import { loadRenderInput, type RenderInput } from "./load-render-input.ts";
import { maskDerived } from "./mask-derived.ts";
import { renderSupplied, toRepositoryContext } from "./render-supplied.ts";
import { renderBlueprint, wantedExports, type RenderedBlueprint } from "./render-blueprint.ts";
import { escapeYaml } from "../output/escape-yaml.ts";
import { isRaw } from "../output/raw-option.ts";
import { InvocationError } from "../usage-error.ts";

/** `landscaper render`: what a blueprint makes of its imports, without a cluster. */
export const runRender: CommandRun = async (input, context) => {
  const { writeContent, writeError, now } = context;
  const repository = textOption(input, "repository");
  const files = {
    blueprint: blueprintFolder(input),
    installation: textOption(input, "installation"),
    imports: listOption(input, "imports"),
    exports: textOption(input, "exports"),
    name: textOption(input, "name"),
    namespace: textOption(input, "namespace"),
    repository: repository === undefined ? undefined : toRepositoryContext(repository),
  };
  const { read, rendered } = await renderSupplied(input, context, async (supplies) => {
    const loaded = await loadRenderInput(files, supplies);
    return { read: loaded, rendered: renderBlueprint(loaded, { now, random: (bytes) => randomBytes(bytes) }) };
  });
  const value = describe(rendered.value, read);
  const shown = flagOption(input, "showSecrets") ? value : maskDerived({ value, other: rendered.shadow });
  for (const { message } of rendered.warnings) writeError(`warning: ${redactLeaves(message, secretsOf(read.given))}\n`);
  writeContent(stringify(shown, { aliasDuplicateObjects: false }), { isRaw: isRaw(input), clean: escapeYaml });
  if (rendered.value.exports === undefined && hasExports(read)) {
    writeError("the exports are not rendered: say with --exports what deploy items and sub-installations export\n");
  }
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
