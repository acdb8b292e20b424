import { createAllErrorsParser, quoteText } from "@landscaper/api";
import { foldDocument } from "../fold-document.ts";
import { ocmError } from "../ocm-error.ts";
import { inputSchemas, type Input } from "./input-schemas.ts";
import { withoutNulls } from "./without-nulls.ts";

type InputType = Input["type"];

/** By the type in lower case, without its version. */
const typesByName: ReadonlyMap<string, InputType> = new Map(
  (Object.keys(inputSchemas) as InputType[]).map((type) => [type.toLowerCase(), type]),
)
  .set("ociimage", "ociArtifact")
  .set("utf-8", "utf8");

const parsers = new Map(
  Object.entries(inputSchemas).map(
    ([type, schema]) => [type, createAllErrorsParser<Input>(schema, `input of type ${type}`)] as const,
  ),
);

/** Types that OCM has and this library does not read, with what does the same. */
const replacements: ReadonlyMap<string, string> = new Map([
  ["git", "check the repository out, and use type dir"],
  ["maven", "download the artifact, and use type file"],
  ["npm", "download the package, and use type file or wget"],
  ["ocm", "download the resource with `landscaper component download`, and use type file"],
]);

/** Reads an input; the letter case of its type and fields does not matter. Calls `warn` for what has no effect. Throws LandscaperError. */
export function parseInput(
  given: Readonly<Record<string, unknown>>,
  where: string,
  warn: (message: string) => void,
): Input {
  const { type: name, ...fields } = withoutNulls(given);
  const type = typeNamed(name, where);
  const document = { ...fields, type };
  const parse = parsers.get(type);
  if (parse === undefined) throw new Error(`no parser of ${type}`);
  const input = parse(foldDocument(document, { ...inputSchemas[type] }), where);
  for (const message of withoutEffect(input)) warn(`${where}: ${message}`);
  return input;
}

function typeNamed(name: unknown, where: string): InputType {
  const [, short = "", version = "v1"] =
    typeof name === "string" ? (/^(.*?)(?:\/(v\d\w*))?$/s.exec(name.toLowerCase()) ?? []) : [];
  const type = typesByName.get(short);
  if (type !== undefined) {
    if (version === "v1") return type;
    throw ocmError(
      `${where}: type: expected the version v1, found ${quoteText(String(name))}. Write ${type}, without a version.`,
    );
  }
  const replacement = replacements.get(short);
  if (replacement !== undefined) throw ocmError(`${where}: type: inputs of type ${short} are not read; ${replacement}`);
  const known = Object.keys(inputSchemas).join(", ");
  const found = typeof name === "string" ? quoteText(name) : "no text";
  throw ocmError(`${where}: type: expected one of ${known}, found ${found}`);
}

function withoutEffect(input: Input): readonly string[] {
  switch (input.type) {
    case "helm":
      return [...withoutEffectOnArtifacts(input), ...withoutEffectOnFiles(input)];
    case "ociArtifact":
    case "docker":
    case "dockermulti":
      return withoutEffectOnArtifacts(input);
    case "dir":
      return input.reproducible === false
        ? ["reproducible: has no effect: archives of folders have neither times nor owners"]
        : [];
    case "binary":
    case "file":
    case "spiff":
    case "utf8":
    case "wget":
      return [];
  }
}

function withoutEffectOnArtifacts(input: Pick<Extract<Input, { type: "helm" }>, "mediaType" | "compress">) {
  return (["mediaType", "compress"] as const)
    .filter((field) => input[field] !== undefined)
    .map(
      (field) => `${field}: has no effect: an artifact is packed with gzip, and its media type is that of its manifest`,
    );
}

function withoutEffectOnFiles(input: Extract<Input, { type: "helm" }>) {
  if (input.helmRepository !== undefined) return [];
  return (["caCert", "caCertFile"] as const)
    .filter((field) => input[field] !== undefined)
    .map(
      (field) => `${field}: has no effect: the chart is read from a file or folder; give helmRepository, or remove it`,
    );
}
