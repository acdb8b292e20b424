import { randomBytes } from "node:crypto";
import {
  createSpiff,
  readAllSpiffYaml,
  SpiffError,
  yamlText,
  type Spiff,
  type SpiffMerge,
  type SpiffResult,
} from "@landscaper/spiff";
import type { CommandContext } from "../command.ts";
import { cleanText, escapeJson } from "../output/clean-text.ts";
import { PrintedError } from "../usage-error.ts";
import { defineBindings } from "./define-bindings.ts";
import { lendFiles } from "./lent-files.ts";
import { printOutputs } from "./print-outputs.ts";
import { InputReader, parseYamlAs, readFileAs, readFileIfThere, type InputDocument } from "./read-inputs.ts";
import { findPath, selectFields } from "./select-output.ts";
import { showPlaces } from "./show-places.ts";
import { resolveFeatures, type MergeWords } from "./spiff-flags.ts";
import { writeState } from "./state-file.ts";

const legend = [
  "error classification:",
  " *: error in local dynaml expression",
  " @: dependent of or involved in a cycle",
  " -: depending on a node with an error",
].join("\n");

/** Merges as the original does: the same order of reading, the same texts. Throws PrintedError. */
export async function runMerge(words: MergeWords, context: CommandContext): Promise<void> {
  const spiff = createSpiff({ random: (count) => randomBytes(count), clock: () => new Date(context.now()) });
  const files = words.folder === undefined ? undefined : lendFiles(words.folder);
  const inputs = new InputReader(context.readStdin);
  const template = await inputs.read(words.template, "template");
  const isStream = countDocuments(template) > 1;
  if (words.state !== "" && isStream) {
    throw new PrintedError(`state handling not supported gor multi documents [${template.name}]: <nil>\n`);
  }
  const state = await readState(words.state);
  const bindings = Object.fromEntries(await readBindings(words, context));
  const tags = await readTags(words.tags);
  const features = resolveFeatures(context.environment["SPIFF_FEATURES"], words.features);
  const stubs: InputDocument[] = [];
  for (const name of words.stubs) stubs.push(await inputs.read(name, "stub"));
  if (state !== undefined) stubs.push(state);
  const { partial, preserveEscapes, preserveTemporary } = words;
  const options = { features, partial, preserveEscapes, preserveTemporary };
  const request = {
    template,
    isStream: true,
    stubs,
    bindings,
    tags,
    ...options,
    ...(files === undefined ? {} : { files }),
  };
  const result = mergeOrFail(spiff, request, [template, ...stubs]);
  const outputs = result.outputs.map((output, index) => {
    const place = isStream ? ` (document ${index + 1})` : "";
    return output === undefined ? undefined : narrow(output, { spiff, words, bindings, files, place });
  });
  const [output] = outputs;
  if (words.state !== "" && output !== undefined) {
    await writeState(words.state, yamlText(stateOf(result.state, output, words)));
  }
  const clean = words.json ? escapeJson : cleanText;
  context.writeContent(printOutputs(outputs.length === 0 ? [undefined] : outputs, words), { isRaw: words.raw, clean });
}

interface Narrowing {
  readonly spiff: Spiff;
  readonly words: MergeWords;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly files: SpiffMerge["files"];
  /** Ends messages. */
  readonly place: string;
}

/** Output as `--path`, `--evaluate` and `--select` leave it, in this order. */
function narrow(output: unknown, { spiff, words, bindings, files, place }: Narrowing): unknown {
  const missing = new PrintedError(`path ${JSON.stringify(words.path)} not found${place}\n`);
  const found = findPath(output, words.path);
  if (found === undefined) throw missing;
  const value =
    words.expression === "" ? found.value : evaluateOn(found.value, words.expression, { spiff, bindings, files });
  if (words.select.length === 0) return value;
  const selected = selectFields(value, words.select);
  if (selected === undefined) throw missing;
  return selected.value;
}

function countDocuments({ name, text }: InputDocument): number {
  try {
    return readAllSpiffYaml(text, name).length;
  } catch (error) {
    if (error instanceof SpiffError) throw new PrintedError(`${error.message}\n`);
    throw error;
  }
}

/** A state file is the farthest stub, which wins over all others; it need not be there. */
async function readState(path: string): Promise<InputDocument | undefined> {
  const text = path === "" ? undefined : await readFileIfThere(path);
  if (text === undefined) return undefined;
  const state = { name: path, text };
  parseYamlAs(state, "state file");
  return state;
}

/** The state to keep: the nodes marked &state of what is printed. A scalar is its own state. */
function stateOf(state: unknown, output: unknown, words: MergeWords): unknown {
  if (Array.isArray(output)) return [];
  if (typeof output !== "object" || output === null) return output;
  const found = findPath(state ?? {}, words.path);
  const selected = words.select.length === 0 ? found : selectFields(found?.value, words.select);
  return selected?.value ?? {};
}

async function readBindings(words: MergeWords, context: CommandContext): Promise<Map<string, unknown>> {
  const text = words.bindings === undefined ? undefined : await readFileIfThere(words.bindings);
  if (text === undefined && words.bindings !== undefined) {
    // The original says nothing at all.
    context.writeError(`warning: bindings file [${words.bindings}] cannot be read, there are no bindings\n`);
  }
  const name = words.bindings ?? "";
  const bindings = text === undefined ? new Map() : parseYamlAs({ name, text }, "bindings file");
  if (!(bindings instanceof Map)) throw new PrintedError("bindings must be given as map\n");
  return defineBindings(bindings, words.definitions);
}

async function readTags(definitions: readonly string[]): Promise<Record<string, unknown>> {
  const tags = new Map<string, unknown>();
  for (const definition of definitions) {
    const at = definition.indexOf(":");
    if (at <= 0) throw new PrintedError("tag file must be preceeded by a tag (<tag>:<path>)\n");
    const [name, path] = [definition.slice(0, at), definition.slice(at + 1)];
    const [bad] = /[^\w-]/u.exec(name) ?? [];
    if (bad !== undefined) {
      throw new PrintedError(`invalid tag name [${name}]: invalid character "${bad}" in tag component\n`);
    }
    tags.set(name, parseYamlAs({ name: path, text: await readFileAs(path, "tag file") }, "tag file"));
  }
  return Object.fromEntries(tags);
}

function mergeOrFail(spiff: Spiff, request: SpiffMerge, documents: readonly InputDocument[]): SpiffResult {
  try {
    return spiff.merge(request);
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    if (error.message.startsWith("error parsing")) throw new PrintedError(`${error.message}\n`);
    const place = error.documentNumber === undefined ? "" : ` (document ${error.documentNumber})`;
    const explained = error.nodes.length === 0 ? "" : ` \n${legend}`;
    const places = showPlaces(error.nodes, documents);
    throw new PrintedError(`error generating manifest${place}: ${error.message}${explained}\n${places}`);
  }
}

/** The value of an expression in which the fields of the output are bindings. */
function evaluateOn(
  output: unknown,
  expression: string,
  run: Pick<Narrowing, "spiff" | "bindings" | "files">,
): unknown {
  const fields = typeof output === "object" && output !== null && !Array.isArray(output) ? output : {};
  const template = { name: "<expr>", data: `(( ${expression} ))` };
  try {
    const files = run.files === undefined ? {} : { files: run.files };
    return run.spiff.merge({ template, bindings: { ...run.bindings, ...fields }, ...files }).output;
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const [node] = error.nodes;
    const isSyntax = node?.message.startsWith("parse error") === true;
    const problem = isSyntax ? `invalid expression "${expression}": ${node.message}` : undefined;
    throw new PrintedError(`${problem ?? `expression "${expression}" failed: ${error.message}`}\n`);
  }
}
