// Rules of `npm run lint`: the scripts of documented commands exist, a test starts each command, and a page documents each script.
import { findRefusal } from "@landscaper/cli";
import { decideStart, findScript, type DecisionContext } from "./decide-start.ts";
import type { DocumentedCommand } from "./find-commands.ts";
import { outerScripts, scriptStarts } from "./script-starts.ts";

/** Pages that document scripts. A mention on another page does not count. */
const pagesOfScripts: ReadonlySet<string> = new Set(["README.md", "CONTRIBUTING.md", "test-e2e/README.md"]);

export interface CommandCensus extends DecisionContext {
  readonly commands: readonly DocumentedCommand[];
  /** Names of the scripts of package.json. */
  readonly scripts: readonly string[];
  /** One line per block of code whose commands would not be found. */
  readonly fenceProblems: readonly string[];
}

/** Returns one line per problem. Pure. */
export function checkCommands(census: CommandCensus): readonly string[] {
  const { commands, scripts } = census;
  const ofScripts = commands.flatMap((command) => scriptsOf(command).map((script) => ({ command, script })));
  const documented = new Set(
    ofScripts.filter(({ command }) => pagesOfScripts.has(command.file)).map(({ script }) => script),
  );
  const onPages = new Set(
    ofScripts.filter(({ command }) => decideStart(command, census).type === "page").map(({ script }) => script),
  );
  return [
    ...scripts
      .filter((script) => !documented.has(script))
      .map(
        (script) => `package.json: no page documents the script "${script}"; add it to the table of CONTRIBUTING.md`,
      ),
    ...scripts
      .filter((script) => scriptStarts[script] === undefined && !onPages.has(script) && !outerScripts.has(script))
      .map((script) => `package.json: no test starts the script "${script}"; add it to scriptStarts of ${table}`),
    ...Object.keys(scriptStarts)
      .filter((script) => !scripts.includes(script))
      .map((script) => `${table}: package.json has no script "${script}"; remove it`),
    ...census.fenceProblems,
    ...commands.flatMap((command) => checkCommand(command, census)),
  ];
}

const table = "scripts/documented-commands/script-starts.ts";

/** Returns the scripts of package.json that a line starts. */
function scriptsOf({ programs }: DocumentedCommand): readonly string[] {
  return programs.flatMap((words) => findScript(words)?.slice(0, 1) ?? []);
}

/** Returns why `landscaper` refuses the words of a program of the line; undefined if it does not. */
function refusalOf({ programs }: DocumentedCommand): string | undefined {
  const calls = programs.filter(([program = ""]) => /^(?:bin\/)?landscaper$/.test(program));
  return calls.map(([, ...words]) => findRefusal(words)).find((refusal) => refusal !== undefined);
}

function checkCommand(command: DocumentedCommand, census: CommandCensus): readonly string[] {
  const at = `${command.file}:${command.line}`;
  const scripts = scriptsOf(command);
  const unknown = scripts.find((script) => !census.scripts.includes(script));
  if (unknown !== undefined) return [`${at}: package.json has no script "${unknown}": ${command.text}`];
  const refusal = refusalOf(command);
  if (refusal !== undefined) return [`${at}: landscaper refuses "${command.text}": ${refusal}`];
  if (decideStart(command, census).type !== "none" || isShownElsewhere(command, census)) return [];
  const remedy =
    scripts.length === 0
      ? "let a suite run the block by readGuideExamples"
      : `correct its words, or those that ${table} accepts`;
  return [`${at}: no test starts "${command.text}"; ${remedy}`];
}

/** Returns true if a test starts the same command from a block of another page. */
function isShownElsewhere({ text }: DocumentedCommand, census: CommandCensus): boolean {
  return census.commands.some((each) => each.text === text && decideStart(each, census).type === "page");
}
