import {
  FunctionError,
  GoInt,
  GoObject,
  GoTime,
  type GoMap,
  type GoSlice,
  type Value,
  collectionType,
  isMap,
  isSlice,
  sortedKeys,
} from "@landscaper/golang";
import { formatFloat } from "@landscaper/goyaml";
import { GoStruct } from "../objects/go-struct.ts";
import { tomlKey, tomlString } from "./toml-string.ts";
import { tomlTime } from "./toml-time.ts";
import { TomlError } from "./toml-error.ts";

type Entry = readonly [key: string, value: Value];

/**
 * TOML as Helm's library (BurntSushi/toml) writes it: plain values before tables, keys of maps sorted, tables indented by
 * two spaces per level. Nil is left out. What is no table is written by itself. Throws TomlError for lists with nil in
 * them, and FunctionError for nil.
 */
export function toToml(value: Value): string {
  if (value === null || value === undefined) {
    throw new FunctionError("reflect: call of reflect.Value.Type on zero Value");
  }
  const entries = entriesOf(value);
  if (entries === undefined) {
    if (!isTableLike(value)) return inlineValue(value);
    throw new TomlError("toml: top-level values must be Go maps or structs");
  }
  const writer = new TomlWriter();
  writer.writeEntries([], entries);
  return writer.text;
}

class TomlWriter {
  text = "";

  writeEntries(path: readonly string[], entries: readonly Entry[]): void {
    const present = entries.filter(([, value]) => !isNil(value));
    for (const [key, value] of present) {
      if (!isTableLike(value)) this.text += `${indent(path.length)}${tomlKey(key)} = ${inlineValue(value)}\n`;
    }
    for (const [key, value] of present) {
      if (isTableLike(value)) this.#writeTable([...path, key], value);
    }
  }

  #writeTable(path: readonly string[], value: Value): void {
    const header = path.map(tomlKey).join(".");
    if (isSlice(value)) {
      for (const item of value) {
        this.#separate();
        this.text += `${indent(path.length - 1)}[[${header}]]\n`;
        this.writeEntries(path, entriesOf(item) ?? []);
      }
      return;
    }
    if (path.length === 1) this.#separate();
    this.text += `${indent(path.length - 1)}[${header}]\n`;
    this.writeEntries(path, entriesOf(value) ?? []);
  }

  #separate(): void {
    if (this.text !== "") this.text += "\n";
  }
}

function indent(depth: number): string {
  return "  ".repeat(depth);
}

function isNil(value: Value): boolean {
  if (value === null || value === undefined) return true;
  return (isMap(value) || isSlice(value)) && value[collectionType]?.isNil === true;
}

/** The entries of a map or struct; embedded structs stand in the outer one. */
function entriesOf(value: Value): readonly Entry[] | undefined {
  if (isMap(value)) return sortedKeys(value).map((key) => [key, value.get(key)] as const);
  if (!(value instanceof GoStruct)) return undefined;
  return value.structFields.flatMap((field): readonly Entry[] =>
    field.isEmbedded === true ? (entriesOf(field.value) ?? []) : [[field.name, field.value]],
  );
}

function isTable(value: Value): value is GoMap | GoStruct {
  return isMap(value) || value instanceof GoStruct;
}

function isTableLike(value: Value): boolean {
  return isTable(value) || (isSlice(value) && value.length > 0 && value.every(isTable));
}

function inlineValue(value: Value): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value === "number") return floatText(value);
  if (typeof value === "boolean") return String(value);
  if (value instanceof GoInt)
    return value.named === undefined ? value.value.toString() : tomlString(value.named.format(value.value));
  if (value instanceof GoTime) return tomlTime(value);
  if (value instanceof Uint8Array) return `[${[...value].join(", ")}]`;
  if (isSlice(value)) return `[${itemTexts(value).join(", ")}]`;
  const entries = entriesOf(value);
  if (entries !== undefined) return inlineTable(entries);
  if (value instanceof GoObject) return tomlString(value.text() ?? "");
  throw new TomlError("unsupported type: func()");
}

function itemTexts(list: GoSlice): string[] {
  return list.map((item) => {
    if (isNil(item)) throw new TomlError("toml: cannot encode array with nil element");
    return inlineValue(item);
  });
}

/** Plain values come first here, too. As Helm's library does it, a comma also stands before entries that are left out. */
function inlineTable(entries: readonly Entry[]): string {
  const plain = entries.filter(([, value]) => !isTableLike(value));
  const tables = entries.filter(([, value]) => isTableLike(value));
  const ordered = [...plain, ...tables];
  const texts = ordered.map(([key, value], i) => {
    if (isNil(value)) return "";
    return `${tomlKey(key)} = ${inlineValue(value)}${i < ordered.length - 1 ? ", " : ""}`;
  });
  return `{${texts.join("")}}`;
}

/** A float that is whole keeps a decimal point, so that it is read back as one. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const text = formatFloat(value, "g", -1);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
