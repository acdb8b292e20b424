import { gzipSync } from "node:zlib";
import { compareStrings, formatFloat } from "@landscaper/goyaml";
import { decodeBase64, encodeUtf8 } from "@landscaper/golang";
import type { Environment } from "../evaluate/environment.ts";
import { failLocally, quoting } from "../evaluate/failure.ts";
import { toPlain } from "../output/to-plain.ts";
import { yamlText } from "../output/yaml-text.ts";
import { expandedSize } from "../value/expanded-size.ts";
import { undefinedValue, type MapValue, type Value } from "../value/value.ts";
import { shownType, type Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";
import { writeTar, type TarFile } from "./write-tar.ts";
import { wrapLines } from "./text/wrap-lines.ts";

/** Functions that pack files. */
export const archiveFunctions = defineFunctions({ archive });

const lineWidth = 60;

/** Bytes that are compressed in a millisecond. */
const compressedPerMs = 20_000;

/**
 * archive(files, "tar" or "targz") as base64. Files are a map from path to content, or a list of maps with `path`; such
 * a map has `data` or `base64` and may have `mode`. Every file has the time 0: the same files give the same archive.
 */
function archive(args: Arguments, { document }: Environment): Value {
  args.count(1, 2, "archive takes one or two arguments");
  const files = args.at(0);
  const type = args.length > 1 ? args.text(1, "second argument for archive must be a string") : "tar";
  if (files === undefinedValue) return undefinedValue;
  document.budget.charge(expandedSize(files));
  const contents = filesOf(files);
  if (type !== "tar" && type !== "targz") return failLocally(quoting`invalid archive type '${type}'`);
  const size = contents.reduce((sum, file) => sum + file.content.length + 2048, 0);
  document.budget.charge(size * 2);
  if (type === "targz") document.budget.spend(size / compressedPerMs, "archive");
  const tar = writeTar(contents);
  return wrapLines(Buffer.from(type === "tar" ? tar : gzipSync(tar)).toString("base64"), lineWidth);
}

function filesOf(files: Value): TarFile[] {
  if (files === null) return [];
  if (typeof files === "object" && files.kind === "map") {
    const entries = [...files.cells].toSorted(([a], [b]) => compareStrings(a, b));
    return entries.flatMap(([path, { value }]) => (value === null ? [] : [fileOf(path, value)]));
  }
  if (typeof files !== "object" || files.kind !== "list") {
    return failLocally(`first argument for archive must be a file map or list, found ${shownType(files)}`);
  }
  return files.items.map(({ value }) =>
    isMap(value) ? describedFile(value, undefined) : failLocally(`invalid file content type ${shownType(value)}`),
  );
}

function fileOf(path: string, value: Value): TarFile {
  return isMap(value) ? describedFile(value, path) : { path, mode: 0o644, content: contentOf(value) };
}

function isMap(value: Value): value is MapValue {
  return typeof value === "object" && value?.kind === "map";
}

function describedFile(file: MapValue, name: string | undefined): TarFile {
  const field = (key: string): Value | undefined => {
    const value = file.cells.get(key)?.value;
    return value === null ? failLocally(`${key} field must not be nil`) : value;
  };
  const path = field("path") ?? name ?? failLocally("path field required");
  if (typeof path !== "string") return failLocally(`path field must be string, found ${shownType(path)}`);
  const data = field("data");
  const encoded = field("base64");
  const content = data === undefined ? decoded(encoded ?? "") : contentOf(data);
  return { path, mode: modeOf(field("mode") ?? 0o644n), content };
}

function decoded(value: Value): Uint8Array {
  const bytes = typeof value === "string" ? decodeBase64(value) : "";
  return typeof bytes === "string" ? failLocally("base64 field must be base64 text") : bytes;
}

/** Permissions: an int, or its text, which is octal with a leading 0. */
function modeOf(value: Value): number {
  const text = typeof value === "bigint" ? value.toString() : value;
  if (typeof text !== "string" || !/^[0-9]{1,10}$/.test(text)) {
    return failLocally("permissions must be given as int or int string");
  }
  const mode = Number.parseInt(text, /^0[0-7]+$/.test(text) ? 8 : 10);
  return mode <= 0o7777777 ? mode : failLocally("permissions must be given as int or int string");
}

/** Lists and maps are written as YAML documents. */
function contentOf(value: Value): Uint8Array {
  if (typeof value === "number") return encodeUtf8(formatFloat(value, "e", 64));
  if (typeof value !== "object") return encodeUtf8(String(value));
  return value === null ? new Uint8Array() : encodeUtf8(`---\n${yamlText(toPlain(value))}`);
}
