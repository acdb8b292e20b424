// The commands that a page tells its readers to type: lines of shell blocks, and code in sentences that starts a script of this workspace.
import { splitWords } from "./split-words.ts";

export interface DocumentedCommand {
  readonly file: string;
  /** Line number, counted from 1. */
  readonly line: number;
  /** Text of the heading above the command; "" before the first heading. */
  readonly heading: string;
  /** `shell`: a line of a block to paste. `console`: a line after a prompt, with its output. `inline`: code in a sentence. */
  readonly kind: "shell" | "console" | "inline";
  /** The command line without its trailing comment. */
  readonly text: string;
  /** Words of each program that the line starts; a pipe starts several. */
  readonly programs: readonly (readonly string[])[];
}

/** Languages of code fences with commands, and the prompt before each command. */
const fences: Readonly<Record<string, { readonly kind: "shell" | "console"; readonly prompt: string }>> = {
  sh: { kind: "shell", prompt: "" },
  console: { kind: "console", prompt: "$ " },
};
/** Inline code that counts as a command. Other inline code is often only the name of a program or a part of a command. */
const calls = /^(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:npm (?:run [\w:-]+|test)(?= |$)|bin\/landscaper )/;
/** Start of a here-document. Captures "-", which allows tabs before the delimiter, and the delimiter. */
const hereDocument = /(?<!<)<<(?!<)(-?)\s*['"\\]?([A-Za-z_]\w*)['"]?/;
/** Parts of a line in which `<<` starts no here-document: quoted words that are no delimiter, and arithmetic. */
const notHereDocument = /(?<!<<-?\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*')|\(\(.*?\)\)/g;

/** Returns a predicate for the line that ends the here-document that starts in a line; undefined if none starts. */
function findHereDocumentEnd(line: string): ((text: string) => boolean) | undefined {
  const [, dash = "", delimiter] = hereDocument.exec(line.replaceAll(notHereDocument, " ")) ?? [];
  if (delimiter === undefined) return undefined;
  return (text) => (dash === "" ? text : text.replace(/^\t+/, "")) === delimiter;
}

interface Position {
  readonly file: string;
  readonly line: number;
  readonly heading: string;
}

/** Finds the commands of a page. `text` is Markdown. Pure. */
export function findCommands(file: string, text: string): readonly DocumentedCommand[] {
  const found: DocumentedCommand[] = [];
  let heading = "";
  let language: string | undefined;
  /** Indentation of the block's fence. */
  let indent = "";
  let block: [line: number, text: string][] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^(\s*)```(\w*)/.exec(line);
    if (fence !== null && language === undefined) [indent, language, block] = [fence[1] ?? "", fence[2] ?? "", []];
    else if (fence !== null) {
      found.push(...commandsOfBlock(block, { file, heading, language: language ?? "" }));
      language = undefined;
    } else if (language !== undefined)
      block.push([index + 1, line.startsWith(indent) ? line.slice(indent.length) : line]);
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
  let isEnd: ((text: string) => boolean) | undefined;
  let unfinished = "";
  for (const [line, text] of lines) {
    if (isEnd !== undefined) {
      if (isEnd(text)) isEnd = undefined;
      continue;
    }
    if (unfinished === "" && !text.startsWith(prompt)) continue;
    const whole = `${unfinished}${unfinished === "" ? text.slice(prompt.length) : text.trim()}`;
    if (whole.endsWith("\\")) {
      unfinished = whole.slice(0, -1);
      continue;
    }
    unfinished = "";
    isEnd = findHereDocumentEnd(splitWords(whole).command);
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

/** Returns one command, or one for each alternative of a word like `gotemplate|helm`. */
function toCommands(text: string, kind: DocumentedCommand["kind"], position: Position): DocumentedCommand[] {
  const [, choice] = kind === "inline" ? (/(?<= )([\w-]+(?:\|[\w-]+)+)(?= |$)/.exec(text) ?? []) : [];
  if (choice !== undefined) {
    return choice.split("|").flatMap((each) => toCommands(text.replace(choice, each), kind, position));
  }
  const { programs, command } = splitWords(text);
  return programs.length === 0 ? [] : [{ ...position, kind, text: command, programs }];
}
