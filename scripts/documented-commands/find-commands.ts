// The commands that a page tells its readers to type: lines of shell blocks, and code in sentences that starts a script of this workspace.
import { splitWords } from "./split-words.ts";

export interface DocumentedCommand {
  readonly file: string;
  /** From 1 on. */
  readonly line: number;
  /** The heading that it is below, without its marks; "" above the first. */
  readonly heading: string;
  /** `shell`: a line of a block to paste. `console`: a line behind a prompt, with what it prints. `inline`: code in a sentence. */
  readonly kind: "shell" | "console" | "inline";
  /** Without the comment at its end. */
  readonly text: string;
  /** The words of each program that the line starts: those of a pipe are several. */
  readonly programs: readonly (readonly string[])[];
}

/** Languages of fences whose lines are commands, each with what stands before a command. */
const fences: Readonly<Record<string, { readonly kind: "shell" | "console"; readonly prompt: string }>> = {
  sh: { kind: "shell", prompt: "" },
  console: { kind: "console", prompt: "$ " },
};
/** Code in a sentence is often the name of a program or a part of a command: only these are calls. */
const calls = /^(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:npm (?:run [\w:-]+|test)(?= |$)|bin\/landscaper )/;
/** The end mark of a document within a script. */
const hereDocument = /<<-?\s*['"]?(\w+)['"]?/;

interface Position {
  readonly file: string;
  readonly line: number;
  readonly heading: string;
}

/** Pure. `text` is Markdown. */
export function findCommands(file: string, text: string): readonly DocumentedCommand[] {
  const found: DocumentedCommand[] = [];
  let heading = "";
  let language: string | undefined;
  let block: [line: number, text: string][] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence !== null && language === undefined) [language, block] = [fence[1] ?? "", []];
    else if (fence !== null) {
      found.push(...commandsOfBlock(block, { file, heading, language: language ?? "" }));
      language = undefined;
    } else if (language !== undefined) block.push([index + 1, line]);
    else {
      heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
      found.push(...inlineCommands(line, { file, line: index + 1, heading }));
    }
  }
  return found;
}

function commandsOfBlock(
  lines: readonly (readonly [line: number, text: string])[],
  { file, heading, language }: { readonly file: string; readonly heading: string; readonly language: string },
): DocumentedCommand[] {
  const fence = fences[language];
  if (fence === undefined) return [];
  const { kind, prompt } = fence;
  const found: DocumentedCommand[] = [];
  let end: string | undefined;
  let unfinished = "";
  for (const [line, text] of lines) {
    if (end !== undefined) {
      if (text === end) end = undefined;
      continue;
    }
    if (unfinished === "" && !text.startsWith(prompt)) continue;
    const whole = `${unfinished}${unfinished === "" ? text.slice(prompt.length) : text.trim()}`;
    if (whole.endsWith("\\")) {
      unfinished = whole.slice(0, -1);
      continue;
    }
    unfinished = "";
    end = hereDocument.exec(whole)?.[1];
    found.push(...toCommands(whole, kind, { file, line, heading }));
  }
  return found;
}

function inlineCommands(text: string, position: Position): DocumentedCommand[] {
  return [...text.matchAll(/`([^`]+)`/g)]
    .map(([, code = ""]) => code.replaceAll("\\|", "|"))
    .filter((code) => calls.test(code))
    .flatMap((code) => toCommands(code, "inline", position));
}

/** One command; several for a word like `gotemplate|helm`, which offers a choice. */
function toCommands(text: string, kind: DocumentedCommand["kind"], position: Position): DocumentedCommand[] {
  const [, choice] = kind === "inline" ? (/(?<= )([\w-]+(?:\|[\w-]+)+)(?= |$)/.exec(text) ?? []) : [];
  if (choice !== undefined) {
    return choice.split("|").flatMap((each) => toCommands(text.replace(choice, each), kind, position));
  }
  const { programs, command } = splitWords(text);
  return programs.length === 0 ? [] : [{ ...position, kind, text: command, programs }];
}
