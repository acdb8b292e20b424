/** Operators that end the words of a program. */
const separators: ReadonlySet<string> = new Set(["|", "||", "&&", ";", "&"]);
const token =
  /\s+|(#.*)|(\|\||&&|[|;]|(?:\d?>>?(?:&\d)?|<<?-?)|&)|((?:"[^"]*"|'[^']*'|\$\([^)]*\)|\\.|[^\s|&;<>"'\\])+)/gy;

export interface SplitLine {
  /** Unquoted words of each program, without redirections and leading assignments. */
  readonly programs: readonly (readonly string[])[];
  /** The line without its comment. */
  readonly command: string;
}

/** Splits a shell line. Supports the syntax that the docs use: quotes, pipes, lists, redirections, comments. Pure. */
export function splitWords(line: string): SplitLine {
  const programs: string[][] = [];
  let words: string[] = [];
  let isRedirected = false;
  let end = line.length;
  for (const { 0: all, 1: comment, 2: operator, 3: word, index } of line.matchAll(token)) {
    if (comment !== undefined) {
      end = index;
      break;
    }
    if (operator !== undefined && separators.has(operator)) {
      if (words.length > 0) programs.push(words);
      words = [];
    } else if (operator !== undefined) isRedirected = !/&\d$/.test(all);
    else if (word !== undefined && isRedirected) isRedirected = false;
    else if (word !== undefined && !(words.length === 0 && /^\w+=/.test(word))) words.push(unquote(word));
  }
  if (words.length > 0) programs.push(words);
  return { programs, command: line.slice(0, end).trim() };
}

function unquote(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'|\\(.)/g, "$1$2$3");
}
