import { createHash } from "node:crypto";
import { decodeBase64, decodeUtf8, encodeUtf8 } from "@landscaper/golang";
import { toGoJson } from "@landscaper/goyaml";
import { failLocally, quoting } from "../evaluate/failure.ts";
import { pathNames } from "../evaluate/environment.ts";
import { yamlText } from "../output/yaml-text.ts";
import { undefinedValue, type Value } from "../value/value.ts";
import type { Arguments } from "./arguments.ts";
import { charged, chargedPlain } from "./charge.ts";
import { defineFunctions } from "./define-functions.ts";
import { parseText } from "./text/parse-text.ts";
import { wrapLines } from "./text/wrap-lines.ts";

/** Characters that are hashed in a millisecond. */
const hashedPerMs = 100_000;

/** Functions that change the form of data. */
export const encodingFunctions = defineFunctions({
  base64: (args, environment) => {
    args.count(1, 2, "base64 takes one or two arguments");
    const encoded = Buffer.from(encodeUtf8(args.text(0))).toString("base64");
    return charged(wrapLines(encoded, args.length > 1 ? widthOf(args.at(1)) : 0), environment);
  },
  base64_decode: (args) => {
    args.count(1, 1, "base64_decode takes exactly one argument");
    const bytes = decodeBase64(args.text(0));
    return typeof bytes === "string" ? failLocally("cannot decode string") : decodeUtf8(bytes);
  },
  asjson: (args, environment) => {
    const value = onlyValue(args);
    return value === undefinedValue ? value : charged(toGoJson(chargedPlain(value, environment)), environment);
  },
  asyaml: (args, environment) => charged(yamlText(chargedPlain(onlyValue(args), environment)), environment),
  parse: (args, environment) => {
    args.count(1, 2, "parse takes one or two arguments");
    const text = args.text(0);
    const mode = args.length > 1 ? args.text(1) : "import";
    return parseText(text, mode, { name: pathNames(environment.path).join("."), isTrusted: false, environment });
  },
  hash: (args, { document }) => {
    args.count(1, 2, "hash takes one or two arguments");
    const text = args.text(0);
    document.budget.spend(text.length / hashedPerMs, "hash");
    return digest(text, args.length > 1 ? args.text(1) : "sha256");
  },
  md5: (args, { document }) => {
    args.count(1, 1, "md5 takes exactly one argument");
    const text = args.text(0);
    document.budget.spend(text.length / hashedPerMs, "md5");
    return digest(text, "md5");
  },
});

function onlyValue(args: Arguments): Value {
  args.count(1, 1, `${args.name} takes exactly one argument`);
  return args.at(0);
}

/** Characters of a line; none for a number below 1. */
function widthOf(value: Value): number {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && /^[+-]?[0-9]{1,18}$/.test(value)) return Number(value);
  return failLocally("second argument for base64 must be an integer or integer string");
}

/** `md4` in the original is the text in hex, then the hash of nothing. */
const emptyMd4 = "31d6cfe0d16ae931b73c59d7e0c089c0";

function digest(text: string, algorithm: string): string {
  const bytes = encodeUtf8(text);
  switch (algorithm) {
    case "md4":
      return Buffer.from(bytes).toString("hex") + emptyMd4;
    case "md5":
    case "sha1":
    case "sha224":
    case "sha256":
    case "sha384":
    case "sha512":
      return createHash(algorithm).update(bytes).digest("hex");
    case "sha512/224":
    case "sha512/256":
      return createHash(algorithm.replace("/", "-")).update(bytes).digest("hex");
    default:
      return failLocally(quoting`invalid hash type '${algorithm}'`);
  }
}
