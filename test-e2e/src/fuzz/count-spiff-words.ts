import { parseExpression, type Expression } from "@landscaper/spiff/testing";
import type { SpiffCase } from "./spiff-documents.ts";

const wordList = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The functions of the specification that the pinned original knows and that stay within the process. */
const functions = wordList(`
  join split split_match trim replace replace_match substr match upper lower format length contains index lastindex basename dirname
  parseurl element compact uniq sort reverse intersect keys makemap list_to_map merge type string integer float bool defined valid
  require stub catch error eval tagdef features base64 base64_decode asjson asyaml parse hash md5 bcrypt bcrypt_check md5crypt
  md5crypt_check encrypt decrypt rand ceil floor round roundtoeven abs sin cos sinh cosh asin acos asinh acosh sqrt exp log log10
  min_ip max_ip num_ip contains_ip ipset static_ips semver semverrelease semvermajor semverminor semverpatch semverincmajor
  semverincminor semverincpatch semverprerelease semvermetadata semvercmp semvermatch semvervalidate semversort validate check
  x509genkey x509publickey x509cert x509parsecert wggenkey wgpublickey read lookup_file lookup_dir list_files list_dirs archive sync`);

const markers = wordList("temporary local template state inject default dynamic tag:name tag:*name");
const references = [
  "a.b",
  ".a",
  "__.a",
  "___.a",
  "_.a",
  "_()",
  "[n]",
  "[-n]",
  "x[..]",
  "slice",
  "[*].a",
  "[a..b].a",
  "(E).a",
  "tag::a",
  "tag::.",
  "tag:part::a",
  "doc:N::a",
  "doc:-N::a",
];
const contexts = wordList("VERSION FILE DIR RESOLVED_FILE RESOLVED_DIR PATHNAME PATH STUBPATH OUTER BINDINGS");
const merges = ["merge", "merge a.b", "merge none", "merge required", "merge replace", "merge on a", "prefer", "auto"];
const operators = [
  ...wordList("|| // ?: concatenation -or -and == != <= >= < > + - * / % ! *template"),
  ...wordList("map[] map{} select[] select{} sum[] catch[] sync[] lambda scope f*() name=argument default rest..."),
  ...wordList("list argument... range map group undefined $symbol IPv4"),
  "lambda E",
];
const controls = wordList(
  "<<if <<then <<else <<switch <<default <<cases <<type <<for <<do <<mapkey <<merge interpolation",
);
const keys = ["<<", "<<<", "- <<", "escaped value", "escaped key", "key:"];

/** Every operator, function, marker and tag of the specification (spiff.md §3), and the other forms of documents. */
export const spiffWords: readonly string[] = [
  ...functions.map((name) => `${name}()`),
  ...markers.map((name) => `&${name}`),
  ...contexts.map((name) => `__ctx.${name}`),
  ...[references, merges, operators, controls, keys].flat(),
];

/** What of it occurs in the documents of a case; each once. */
export function wordsIn({ template, stubs }: Pick<SpiffCase, "template" | "stubs">): ReadonlySet<string> {
  const found = new Set<string>();
  for (const text of [...template.split("\n---\n"), ...stubs]) addDocument(JSON.parse(text), found);
  return found;
}

function addDocument(node: unknown, found: Set<string>): void {
  if (typeof node === "string") addText(node, found);
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) {
      if (isInsertion(item)) found.add("- <<");
      addDocument(item, found);
    }
    return;
  }
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith("<<")) found.add(/^<<(?:<?!+$|!)/.test(key) ? "escaped key" : key);
    if (key.startsWith("key:")) found.add("key:");
    addDocument(value, found);
  }
}

function isInsertion(item: unknown): boolean {
  return typeof item === "object" && item !== null && Object.keys(item).join(" ").startsWith("<<");
}

function addText(text: string, found: Set<string>): void {
  if (!text.startsWith("((") || !text.endsWith("))")) {
    if (text.includes("((")) found.add("interpolation");
    return;
  }
  if (text.startsWith("((!")) found.add("escaped value");
  const source = text.slice(2, -2);
  if (/\$\w/.test(source)) found.add("$symbol");
  if (/\d+\.\d+\.\d+\.\d+(?![^"]*")/.test(source)) found.add("IPv4");
  try {
    addExpression(parseExpression(source), found);
  } catch {
    // Damaged text is no expression.
  }
}

function addExpression(part: unknown, found: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  if (isExpression(part)) for (const word of wordsOf(part)) found.add(word);
  for (const value of Object.values(part)) addExpression(value, found);
}

function isExpression(part: object): part is Expression {
  return "kind" in part;
}

function wordsOf(expression: Expression): readonly string[] {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other kinds are words themselves
  switch (expression.kind) {
    case "reference":
      return referenceWords(expression);
    case "qualified":
      return ["(E).a", ...stepWords(expression.path)];
    case "dynamic":
      return ["x[..]"];
    case "projection":
      return expression.each === undefined ? ["slice"] : [expression.range === undefined ? "[*].a" : "[a..b].a"];
    case "or":
    case "binary":
      return [expression.operator];
    case "conditional":
      return ["?:"];
    case "concat":
      return ["concatenation"];
    case "not":
      return ["!"];
    case "instantiate":
      return ["*template"];
    case "call":
      return callWords(expression);
    case "lambda":
      return [
        "lambda",
        ...(expression.parameters.some(({ fallback }) => fallback !== undefined) ? ["default"] : []),
        ...(expression.parameters.some(({ isRest }) => isRest) ? ["rest..."] : []),
      ];
    case "lambdaReference":
      return ["lambda E"];
    case "comprehension":
      return [`${expression.form}${expression.target === "map" ? "{}" : "[]"}`];
    case "catch":
      return ["catch[]"];
    case "sync":
      return ["sync[]"];
    case "merge":
      return mergeWords(expression);
    case "marked":
      return expression.markers.map((name) =>
        name.startsWith("tag:") ? `&tag:${name.startsWith("tag:*") ? "*" : ""}name` : `&${name}`,
      );
    default:
      return [expression.kind];
  }
}

type Of<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

function referenceWords({ tag, path }: Of<"reference">): readonly string[] {
  if (tag.startsWith("doc:")) return [tag.startsWith("doc:-") ? "doc:-N::a" : "doc:N::a"];
  if (tag !== "") return [path.length === 0 ? "tag::." : "tag::a", ...(tag.includes(":") ? ["tag:part::a"] : [])];
  const [first = "", second = ""] = path;
  if (first === "__ctx") return [`__ctx.${second}`];
  const start = first === "" ? ".a" : /^_+$/.test(first) ? `${first}.a` : "a.b";
  return [start, ...stepWords(path)];
}

function stepWords(path: readonly string[]): readonly string[] {
  return path.filter((step) => step.startsWith("[")).map((step) => (step.startsWith("[-") ? "[-n]" : "[n]"));
}

function callWords({ callee, args, isCurry }: Of<"call">): readonly string[] {
  const isNamed = args.some(({ name }) => name !== undefined);
  const isSpread = args.some((arg) => arg.isSpread);
  return [
    callee.kind === "reference" ? `${callee.path.join(".")}()` : "(E)()",
    ...(isCurry ? ["f*()"] : []),
    ...(isNamed ? ["name=argument"] : []),
    ...(isSpread ? ["argument..."] : []),
  ];
}

function mergeWords({ mode, path, keyField }: Of<"merge">): readonly string[] {
  const isPlain = mode === "plain" && path.length === 0 && keyField === undefined;
  return [
    ...(isPlain ? ["merge"] : []),
    ...(mode === "plain" ? [] : [`merge ${mode}`]),
    ...(path.length > 0 ? ["merge a.b"] : []),
    ...(keyField === undefined ? [] : ["merge on a"]),
  ];
}
