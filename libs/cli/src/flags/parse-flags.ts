import { quote } from "@landscaper/golang";

/** Flags as Go's pflag package knows them: by long name, some with a letter. */
export interface FlagDefinition {
  readonly name: string;
  readonly letter?: string;
  readonly kind: "bool" | "text" | "list";
  /** What the flag means without a value; it never takes the next word then. */
  readonly implied?: string;
  /** What is wrong with a value, in pflag's words; undefined when it is right. */
  readonly check?: (value: string) => string | undefined;
  /** Returns the warning to print if the flag is used with this value; undefined if there is none. */
  readonly warning?: (value: string) => string | undefined;
}

export interface ParsedFlags {
  readonly operands: readonly string[];
  /** Lines that warn about the used flags, such as deprecated ones, in the order of the words. */
  readonly warnings: readonly string[];
  isSet(name: string): boolean;
  /** The last value that was given. */
  text(name: string): string | undefined;
  list(name: string): readonly string[];
}

/** What is wrong with the words of a command line, in pflag's words. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}

/**
 * Reads words as pflag does: flags and operands in any order, `--name value`, `--name=value`, `-Dvalue`, `--` ends the flags,
 * flags without value take `=true` or `=false`. Throws FlagError.
 */
export function parseFlags(words: readonly string[], definitions: readonly FlagDefinition[]): ParsedFlags {
  const operands: string[] = [];
  const warnings: string[] = [];
  const values = new Map<string, string[]>();
  const rest = [...words];
  const take = (flag: FlagDefinition, given: string | undefined, shown: string): void => {
    const value = given ?? impliedValue(flag) ?? rest.shift();
    if (value === undefined) throw new FlagError(`flag needs an argument: ${shown}`);
    checkValue(value, flag);
    const warning = flag.warning?.(value);
    if (warning !== undefined) warnings.push(warning);
    values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") operands.push(...rest.splice(0));
    else if (word.startsWith("--")) takeLong(word, definitions, take);
    else if (word.startsWith("-") && word !== "-") takeLetters(word, definitions, take);
    else operands.push(word);
  }
  return {
    operands,
    warnings,
    isSet: (name) => trueTexts.has(values.get(name)?.at(-1) ?? "false"),
    text: (name) => values.get(name)?.at(-1),
    list: (name) => values.get(name) ?? [],
  };
}

type Take = (flag: FlagDefinition, given: string | undefined, shown: string) => void;

function takeLong(word: string, definitions: readonly FlagDefinition[], take: Take): void {
  const { name, value } = splitAtEquals(word.slice(2));
  if (name === "" || name.startsWith("-")) throw new FlagError(`bad flag syntax: ${word}`);
  const flag = definitions.find((definition) => definition.name === name);
  if (flag === undefined) throw new FlagError(`unknown flag: --${name}`);
  take(flag, value, word);
}

/** `-Dvalue` or `-D=value`; letters of flags without value may stand together. */
function takeLetters(word: string, definitions: readonly FlagDefinition[], take: Take): void {
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    const flag = definitions.find((definition) => definition.letter === letter);
    if (flag === undefined) throw new FlagError(`unknown shorthand flag: '${letter}' in ${word}`);
    const behind = word.slice(at + 1);
    if (behind.startsWith("=")) {
      take(flag, behind.slice(1), "");
      return;
    }
    if (impliedValue(flag) === undefined) {
      take(flag, behind === "" ? undefined : behind, `'${letter}' in ${word}`);
      return;
    }
    take(flag, undefined, "");
  }
}

function splitAtEquals(text: string): { name: string; value: string | undefined } {
  const at = text.indexOf("=");
  return at < 0 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

const trueTexts = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const falseTexts = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function impliedValue({ kind, implied }: FlagDefinition): string | undefined {
  return kind === "bool" ? "true" : implied;
}

function checkValue(value: string, flag: FlagDefinition): void {
  const reason = flag.kind === "bool" ? problemOfBool(value) : flag.check?.(value);
  if (reason === undefined) return;
  const shown = flag.letter === undefined ? `--${flag.name}` : `-${flag.letter}, --${flag.name}`;
  throw new FlagError(`invalid argument ${quote(value)} for "${shown}" flag: ${reason}`);
}

function problemOfBool(value: string): string | undefined {
  if (trueTexts.has(value) || falseTexts.has(value)) return undefined;
  return `strconv.ParseBool: parsing ${quote(value)}: invalid syntax`;
}
