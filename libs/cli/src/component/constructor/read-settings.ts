import { fromYaml, toGoJson, YamlError } from "@landscaper/goyaml";
import { UsageError } from "../../usage-error.ts";
import { splitPair } from "./split-pair.ts";

/** Variables of a constructor file; values of settings files may be any data. */
export type Settings = Readonly<Record<string, unknown>>;

interface SettingsFile {
  readonly name: string;
  readonly text: string;
}

export interface SettingsSources {
  /** Undefined where it is not to be used. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
  readonly files: readonly SettingsFile[];
  /** `NAME=VALUE`. */
  readonly words: readonly string[];
}

/** Joins variables: files win over the environment, words over both, later ones over earlier ones. Throws UsageError. */
export function joinSettings({ environment = {}, files, words }: SettingsSources): Settings {
  const defined = Object.entries(environment).filter(([, value]) => value !== undefined);
  return Object.fromEntries([
    ...defined,
    ...files.flatMap((file) => Object.entries(readSettings(file))),
    ...words.map((word) => readWord(word)),
  ]);
}

function readWord(word: string): readonly [string, string] {
  const pair = splitPair(word);
  if (pair !== undefined) return pair;
  throw new UsageError(
    `expected NAME=VALUE, found ${JSON.stringify(word)}; to pass the constructor file, use --constructor ${word}`,
  );
}

/** A YAML map, or lines `NAME=VALUE` as in an env file. */
function readSettings({ name, text }: SettingsFile): Settings {
  const lines = text
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => !/^\s*(?:#.*)?$/.test(line));
  const pairs = lines.map(({ line, number }) => ({
    pair: /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/.exec(line),
    number,
  }));
  const [first] = pairs;
  const example = pairs.find(({ pair }) => pair !== null);
  const badLine = (number: number): UsageError =>
    new UsageError(
      `--settings: ${name}: line ${number}: expected NAME=VALUE, as in line ${example?.number ?? 1}, found another line. Correct it, or write the whole file as a YAML map`,
    );
  if (first === undefined || first.pair === null) {
    const value = readYaml(name, text);
    if (first !== undefined && example !== undefined && typeof value === "string") throw badLine(first.number);
    return settingsOf(value, name);
  }
  // The first line decides the form of the file: names of variables in YAML have no equals sign.
  return Object.fromEntries(
    pairs.map(({ pair, number }) => {
      if (pair !== null) return [pair[1] ?? "", unquote((pair[2] ?? "").trim())];
      throw badLine(number);
    }),
  );
}

function settingsOf(value: unknown, name: string): Settings {
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new UsageError(`--settings: ${name}: expected a map of variables as YAML, or lines NAME=VALUE`);
  }
  const word = ["true", "false"].find((one) => Object.hasOwn(value, one));
  if (word === undefined) return { ...value };
  throw new UsageError(
    `--settings: ${name}: expected names of variables, found ${word}. ${booleanKeys}. A variable cannot be named ${word}`,
  );
}

/** Of YAML 1.1; for messages. */
export const booleanKeys =
  "YAML reads the keys y, n, yes, no, on, off, true and false as booleans: put a key in quotes";

function readYaml(name: string, text: string): unknown {
  try {
    return fromYaml(text, { integers: "exact" });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new UsageError(`--settings: ${name}: line ${error.line ?? 1}: ${error.problem}`);
  }
}

function unquote(text: string): string {
  return /^"(.*)"$/s.exec(text)?.[1] ?? /^'(.*)'$/s.exec(text)?.[1] ?? text;
}

/** Returns the text of a variable: strings unchanged, other values as JSON; undefined if unset or null. */
export function settingText(settings: Settings, name: string): string | undefined {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : toGoJson(value);
}
