import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { describeFileFailure, identifyError } from "@landscaper/api";
import { decodeUtf8 } from "@landscaper/golang";
import { type MissingKey, TemplateError } from "@landscaper/gotemplate";
import { ChartError, loadFolderFiles } from "@landscaper/helm";
import { flagOption, listOption, textOption, type CommandContext, type CommandRun } from "../command.ts";
import { executeHelmTemplate, executeTemplate, nameInChart } from "./execute-template.ts";
import { explainTemplateError } from "./explain-template-error.ts";
import { readValues, type InputText } from "./read-values.ts";
import { isRaw } from "../output/raw-option.ts";
import { InvocationError, PrintedError } from "../usage-error.ts";

/** `landscaper gotemplate`: one Go template with its values, by itself or with Helm's functions and objects. */
export const runGotemplate: CommandRun = async (input, context) => {
  const file = textOption(input, "file");
  if (file === undefined) throw new InvocationError("-f, --file: expected the template's file, or - for stdin");
  const isHelm = flagOption(input, "helm");
  const valueFiles = listOption(input, "values");
  if ([file, ...valueFiles].filter((name) => name === "-").length > 1) {
    throw new InvocationError("-: stdin can be read once only");
  }
  const files = readFiles(textOption(input, "files"), isHelm);
  const missingKey = parseMissingKey(textOption(input, "missingkey"), isHelm);
  const text = await readInput(file, context);
  const template = { name: textOption(input, "name") ?? nameOf(file, isHelm), text };
  const values = readValues(await readAll(valueFiles, context));
  const run = {
    template,
    values,
    missingKey,
    now: () => new Date(context.now()),
    random: (bytes: number) => randomBytes(bytes),
  };
  try {
    const kubeVersion = textOption(input, "kubeVersion");
    const content = isHelm ? executeHelmTemplate({ ...run, kubeVersion, files }) : executeTemplate(run);
    context.writeContent(content, { isRaw: isRaw(input) });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    // Scripts compare with Helm's own message, which stands alone.
    throw new PrintedError(isHelm ? `${error.message}\n` : explainTemplateError(error, template, values));
  }
};

function readFiles(folder: string | undefined, isHelm: boolean): ReadonlyMap<string, Uint8Array> {
  if (folder === undefined) return new Map();
  if (!isHelm) throw new InvocationError("--files: only templates of Helm have files; use --helm");
  try {
    return new Map(loadFolderFiles(folder).map(({ name, data }) => [name, data]));
  } catch (error) {
    throw error instanceof ChartError ? new InvocationError(`--files: ${error.message}`) : error;
  }
}

const missingKeys: Readonly<Record<string, MissingKey>> = {
  default: "default",
  invalid: "default",
  zero: "zero",
  error: "error",
};

/** Helm itself renders with "zero". */
function parseMissingKey(mode: string | undefined, isHelm: boolean): MissingKey {
  if (mode === undefined) return isHelm ? "zero" : "default";
  const missingKey = Object.hasOwn(missingKeys, mode) ? missingKeys[mode] : undefined;
  if (missingKey !== undefined) return missingKey;
  throw new InvocationError(`--missingkey: expected ${Object.keys(missingKeys).join(", ")}, found "${mode}"`);
}

function nameOf(file: string, isHelm: boolean): string {
  const name = file === "-" ? "stdin" : file;
  return isHelm ? nameInChart(basename(name)) : name;
}

async function readAll(files: readonly string[], context: CommandContext): Promise<InputText[]> {
  const inputs: InputText[] = [];
  for (const name of files) inputs.push({ name, text: await readInput(name, context) });
  return inputs;
}

async function readInput(file: string, { readStdin }: CommandContext): Promise<string> {
  if (file === "-") return readStdin();
  try {
    return decodeUtf8(await readFile(file));
  } catch (error) {
    const failure = describeFileFailure(error, file);
    throw new InvocationError(
      failure === undefined ? `${file}: ${identifyError(error)}` : `${failure.message}. ${failure.remedy}`,
    );
  }
}
