import { createHash } from "node:crypto";
import { toGoJson } from "@landscaper/goyaml";
import { readAllYaml } from "../document/read-yaml.ts";
import { fromPlain } from "../value/from-plain.ts";
import { listOf } from "../value/build-value.ts";
import type { Value } from "../value/value.ts";
import { failLocally, quoting, withheld } from "../evaluate/failure.ts";
import { pathNames, type Environment } from "../evaluate/environment.ts";
import { evaluateSource } from "../evaluate/template.ts";
import { toPlain } from "../output/to-plain.ts";
import { yamlText } from "../output/yaml-text.ts";
import { SpiffError } from "../spiff-error.ts";
import { defineFunctions } from "./define-functions.ts";

/** Functions that change the form of data (spiff.md §3.9). */
export const encodingFunctions = defineFunctions({
  base64: (args) => {
    args.count(1, 2);
    const encoded = Buffer.from(args.text(0)).toString("base64");
    const width = Number(args.optionalInteger(1, 0n));
    return width <= 0 ? encoded : (encoded.match(new RegExp(`.{1,${Math.min(width, 30_000)}}`, "g")) ?? []).join("\n");
  },
  base64_decode: (args) => {
    args.count(1, 1);
    const text = args.text(0).replaceAll(/[\r\n]/g, "");
    const isValid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
    return isValid ? Buffer.from(text, "base64").toString("utf8") : failLocally("cannot decode string");
  },
  asjson: (args, environment) => (args.count(1, 1), charged(toGoJson(toPlain(args.at(0))), environment)),
  asyaml: (args, environment) => (args.count(1, 1), charged(yamlText(toPlain(args.at(0))), environment)),
  parse: (args, environment) => {
    args.count(1, 2);
    const mode = args.length > 1 ? args.text(1) : "import";
    // Text may come from imports: expressions in it stay text in all modes (spiff.md §1.1).
    return parseText(args.text(0), mode === "yaml" ? "import" : mode, {
      name: pathNames(environment.path).join("."),
      environment,
    });
  },
  hash: (args) => {
    args.count(1, 2);
    return digest(args.text(0), args.length > 1 ? args.text(1) : "sha256");
  },
  md5: (args) => (args.count(1, 1), digest(args.text(0), "md5")),
});

function charged(text: string, { document }: Environment): string {
  document.budget.charge(text.length);
  return text;
}

export interface TextOrigin {
  readonly name: string;
  readonly environment: Environment;
}

/** The content of a file or text in one of the modes of read and parse. Only "yaml" evaluates expressions in it. */
export function parseText(text: string, mode: string, origin: TextOrigin): Value {
  switch (mode) {
    case "text":
      return text;
    case "binary":
      return Buffer.from(text).toString("base64");
    case "yaml":
    case "import":
    case "template":
    case "templates":
    case "multiyaml":
    case "importmulti":
      return parseDocuments(text, mode, origin);
    default:
      return failLocally(quoting`invalid file type '${mode}'`);
  }
}

function parseDocuments(text: string, mode: string, { name, environment }: TextOrigin): Value {
  environment.document.budget.charge(text.length);
  let documents: unknown[];
  try {
    documents = readAllYaml(text, name);
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const text = error.message.replace("error parsing template", "error parsing file");
    return failLocally({ text, safeText: text.replace(`[${name}]`, `[${withheld}]`) });
  }
  const values = documents.map((document) =>
    mode === "yaml" ? evaluateData(document, environment) : fromPlain(document, "integers"),
  );
  if (mode.includes("multi") || mode === "templates") return listOf(values);
  return values.length > 1
    ? failLocally(quoting`error parsing file [${name}]: multi document not possible`)
    : (values[0] ?? null);
}

/** Expressions of a read document are evaluated in the surroundings of the call. */
function evaluateData(document: unknown, environment: Environment): Value {
  return evaluateSource(environment.document.sources.build(document), { ...environment, isUnmerged: true });
}

/** `md4` in the original is the text in hex, then the hash of nothing (spiff.md §4, no. 12). */
const emptyMd4 = "31d6cfe0d16ae931b73c59d7e0c089c0";

function digest(text: string, algorithm: string): string {
  switch (algorithm) {
    case "md4":
      return Buffer.from(text).toString("hex") + emptyMd4;
    case "md5":
    case "sha1":
    case "sha224":
    case "sha256":
    case "sha384":
    case "sha512":
      return createHash(algorithm).update(text).digest("hex");
    case "sha512/224":
    case "sha512/256":
      return createHash(algorithm.replace("/", "-")).update(text).digest("hex");
    default:
      return failLocally(quoting`invalid hash type '${algorithm}'`);
  }
}
