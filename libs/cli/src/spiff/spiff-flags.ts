import { FlagError, parseFlags, type FlagDefinition } from "../flags/parse-flags.ts";
import { PrintedError } from "../usage-error.ts";
import { rawFlag } from "../output/raw-option.ts";
import { parseDefinition, type Definition } from "./define-bindings.ts";
import type { OptionDefinition } from "../command.ts";

interface SpiffFlag extends FlagDefinition {
  readonly description: string;
}

/** The flags of `spiff merge` that we have; `--debug` is not among them, and `--files` is ours alone. */
const flags: readonly SpiffFlag[] = [
  { name: "bindings", kind: "text", description: "YAML file with values around the documents" },
  { name: "define", letter: "D", kind: "list", description: "path=value as one more binding; repeatable" },
  { name: "evaluate", kind: "text", description: "print the value of this expression on the output" },
  { name: "features", kind: "list", description: "switch on interpolation, control; with no before it: off" },
  { name: "files", kind: "text", description: "folder whose files read, list_files and the like see" },
  { name: "help", letter: "h", kind: "bool", description: "print this help" },
  { name: "interpolation", kind: "bool", description: "the same as --features=interpolation" },
  { name: "json", kind: "bool", description: "print JSON, one line a document" },
  { name: "partial", kind: "bool", description: "keep expressions without a value, instead of an error" },
  { name: "path", kind: "text", description: "print only the value at this path" },
  { name: "preserve-escapes", kind: "bool", description: "keep ! of escaped expressions" },
  { name: "preserve-temporary", kind: "bool", description: "keep nodes marked &temporary and &local" },
  rawFlag,
  { name: "select", kind: "list", description: "print only the field at this path; repeatable" },
  { name: "split", kind: "bool", description: "print each item of a list as a document" },
  { name: "state", kind: "text", description: "file with the &state nodes of the last run; it is written again" },
  { name: "tag", kind: "list", description: "NAME:FILE, data for expressions like NAME::path; repeatable" },
];

/** The flags for the help. */
export const spiffOptions: readonly OptionDefinition[] = flags.map(({ name, letter, kind, description }) => ({
  syntax: `${letter === undefined ? "" : `-${letter}, `}--${name}${kind === "bool" ? "" : " <value>"}`,
  description,
}));

/** What the words of `spiff merge` ask for. */
export interface MergeWords {
  readonly template: string;
  readonly stubs: readonly string[];
  readonly wantsHelp: boolean;
  readonly bindings: string | undefined;
  readonly definitions: readonly Definition[];
  readonly expression: string;
  readonly features: readonly string[];
  /** Whose files expressions see. */
  readonly folder: string | undefined;
  readonly tags: readonly string[];
  readonly state: string;
  readonly json: boolean;
  /** Whether a terminal gets the output unchanged, too. */
  readonly raw: boolean;
  readonly split: boolean;
  readonly partial: boolean;
  readonly preserveEscapes: boolean;
  readonly preserveTemporary: boolean;
  readonly select: readonly string[];
  readonly path: string;
}

/** Throws FlagError for words that are wrong, and PrintedError for values of `-D` that are. */
export function parseMergeWords(words: readonly string[]): MergeWords {
  const parsed = parseFlags(words, flags);
  const wantsHelp = parsed.isSet("help");
  const [template, ...stubs] = parsed.operands;
  if (template === undefined && !wantsHelp) throw new FlagError("requires at least one arg");
  return {
    template: template ?? "",
    stubs,
    wantsHelp,
    bindings: parsed.text("bindings"),
    definitions: wantsHelp ? [] : parsed.list("define").map(parseDefinition),
    expression: parsed.text("evaluate") ?? "",
    features: [...parsed.list("features"), ...(parsed.isSet("interpolation") ? ["interpolation"] : [])],
    folder: parsed.text("files"),
    tags: parsed.list("tag"),
    state: parsed.text("state") ?? "",
    json: parsed.isSet("json"),
    raw: parsed.isSet("raw"),
    split: parsed.isSet("split"),
    partial: parsed.isSet("partial"),
    preserveEscapes: parsed.isSet("preserve-escapes"),
    preserveTemporary: parsed.isSet("preserve-temporary"),
    select: parsed.list("select"),
    path: parsed.text("path") ?? "",
  };
}

type Feature = "interpolation" | "control";

const isFeature = (name: string): name is Feature => name === "interpolation" || name === "control";

/** Features of the environment (unknown names there say nothing), then those of the flags. Throws PrintedError. */
export function resolveFeatures(environment: string | undefined, given: readonly string[]): Feature[] {
  const features = new Set<Feature>();
  const apply = (text: string): boolean => {
    const name = text.trim();
    const isOff = name.startsWith("no");
    const feature = isOff ? name.slice(2) : name;
    if (!isFeature(feature)) return false;
    if (isOff) features.delete(feature);
    else features.add(feature);
    return true;
  };
  for (const name of (environment ?? "").split(",")) apply(name);
  for (const name of given.flatMap((list) => list.split(","))) {
    if (!apply(name)) throw new PrintedError(`unknown feature flag "${name.trim()}"\n`);
  }
  return [...features];
}
