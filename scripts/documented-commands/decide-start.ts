// Decides which test starts a documented command.
import type { DocumentedCommand } from "./find-commands.ts";
import type { PageSuite } from "./page-suites.ts";
import { parseTestOptions } from "../test-run/test-options.ts";
import { isPlaceholder, outerScripts, parsedWords, scriptStarts, type KnownNames } from "./script-starts.ts";

export type CommandStart =
  /** The suite documented-commands starts the script at its smallest. */
  | {
      readonly type: "script";
      readonly script: string;
      /** Arguments of the start. */
      readonly words: readonly string[];
      /** Arguments of a second start, which parses the documented words; absent if the first start does. */
      readonly parsed?: readonly string[];
    }
  /** The suite documented-commands runs the line in a clone. */
  | { readonly type: "line" }
  /** No test starts the command, because the script runs the suite documented-commands. Its words are parsed here. */
  | { readonly type: "outer" }
  /** A suite takes the command from the page. */
  | { readonly type: "page"; readonly suite: string }
  /** No test: the command needs something of the reader's. */
  | { readonly type: "reader"; readonly needs: string }
  /** No test, although one could start the command. */
  | { readonly type: "none" };

/** Commands of `landscaper` that need a cluster, or its NATS. All others need a test. */
const clusterCommands =
  /^(?:agent|delete|deployers|diff|environments|events|helm (?:diff|versions)|install|interrupt|logs|reconcile|tree|why)(?: |$)/;
/** Example registries, which readers replace by their own. */
const readersRegistry = /\bregistry\.(?:example|internal)\b|\$(?:REGISTRY|MIRROR)\b/;
/** Commands that only affect the following lines of the reader's shell. */
const builtins: ReadonlySet<string> = new Set(["cd", "export", "kill"]);
/** Programs that the suite documented-commands provides in its clone. */
const programsOfClones: ReadonlySet<string> = new Set(["echo", "git", "helm", "landscaper", "node", "printf"]);

/** Returns what a program needs of the reader's, by its words; undefined if nothing. */
function needOf(words: readonly string[]): string | undefined {
  const [path = "", ...args] = words;
  const program = path.replace(/^bin\//, "");
  if (program === "kubectl" || args.includes("--kubeconfig")) return "a cluster";
  if (program === "helm" && args[0] !== "template") return "a cluster";
  if (program === "landscaper" && clusterCommands.test(args.join(" "))) return "a cluster";
  if (program === "docker" || program === "docker-compose") return "a docker daemon";
  if (program === "apt-get") return "a machine to install packages on";
  if (program === "landscaper" && args.some((arg) => readersRegistry.test(arg))) return "a registry";
  return builtins.has(program) ? "a shell" : undefined;
}

/** Returns the script of package.json that a program of a command starts, and its arguments; undefined for other programs. */
export function findScript([npm, verb = "", ...rest]: readonly string[]): readonly [string, ...string[]] | undefined {
  if (npm !== "npm" || (verb !== "run" && verb !== "test")) return undefined;
  const [script = "", ...args] = verb === "test" ? [verb, ...rest] : rest.filter((word) => word !== "--silent");
  return [script, ...(args[0] === "--" ? args.slice(1) : args)];
}

/** Returns the programs of a line that do something: all but those that only affect the shell. */
function programsOf({ programs }: DocumentedCommand): readonly (readonly string[])[] {
  const others = programs.filter(([program = ""]) => !builtins.has(program));
  return others.length === 0 ? programs : others;
}

export interface DecisionContext extends KnownNames {
  readonly suites: readonly string[];
  readonly pageSuites: readonly PageSuite[];
}

/** Decides which test starts a command. Pure. */
export function decideStart(command: DocumentedCommand, context: DecisionContext): CommandStart {
  const { file, heading, kind } = command;
  const programs = programsOf(command);
  const needs = programs.map(needOf).find((need) => need !== undefined);
  const [script, ...words] = programs.map(findScript).find((each) => each !== undefined) ?? [];
  // Preferred: every run of all tests includes this start, but not every suite about a page.
  const isOwn = script !== undefined && (outerScripts.has(script) || scriptStarts[script] !== undefined);
  if (isOwn && needs === undefined) return decideScript(script, words, context);
  const onPage = context.pageSuites.find(
    ({ page, kinds, texts }) =>
      page === file && kinds.includes(kind) && (kind === "console" || texts.includes(heading)),
  );
  if (onPage !== undefined) return { type: "page", suite: onPage.file };
  if (needs !== undefined) return { type: "reader", needs };
  const isOfClone = programs.every(([program = ""]) => programsOfClones.has(program.replace(/^bin\//, "")));
  return kind === "shell" && isOfClone ? { type: "line" } : { type: "none" };
}

function decideScript(script: string, words: readonly string[], known: KnownNames): CommandStart {
  if (outerScripts.has(script)) return isTestCall(words, known) ? { type: "outer" } : { type: "none" };
  const start = scriptStarts[script];
  const smallest = start?.smallest(words, known);
  if (smallest === undefined) return { type: "none" };
  const parsed = start?.dropsWords === true && words.length > 0 ? { parsed: parsedWords(words) } : {};
  return { type: "script", script, words: smallest, ...parsed };
}

/** Returns true for words that `npm test` accepts. PATTERN stands for the reader's. */
function isTestCall(words: readonly string[], { testFiles }: KnownNames): boolean {
  if (words.includes("--help")) return true;
  try {
    const { patterns } = parseTestOptions(words.filter((word) => !isPlaceholder(word.replace(/\.{3}$/, ""))));
    return patterns.every((pattern) => testFiles.some((file) => pattern.expression.test(file)));
  } catch {
    return false;
  }
}
