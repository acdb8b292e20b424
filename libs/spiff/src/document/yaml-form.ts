import { fitsInt64, parseGoFloat, resolvePlainScalar, type YamlNode, type YamlScalar } from "@landscaper/goyaml";
import { SpiffError } from "../spiff-error.ts";
import { yamlText } from "../output/yaml-text.ts";
import { maxDocumentDepth, type DocumentForm, type Entry, type Place, type Shape } from "./document-form.ts";

/** So many nodes may come from aliases. Nodes of the text have a character of it each. */
const maxAliased = 100_000;

type Scalar = null | boolean | bigint | number | string;

/** YAML nodes by the rules of the language: aliases are what they stand for, keys are text. */
export class YamlForm implements DocumentForm<YamlNode> {
  /** Begins messages: "error parsing template [name]". */
  readonly #prefix: string;
  readonly #maxNodes: number;
  #nodes = 0;

  constructor(prefix: string, text: string) {
    this.#prefix = prefix;
    this.#maxNodes = text.length + maxAliased;
  }

  read(node: YamlNode): Shape<YamlNode> {
    if (++this.#nodes > this.#maxNodes) this.fail("too many aliases", node);
    switch (node.kind) {
      case "scalar":
        return { kind: "scalar", value: scalarValue(node) };
      case "sequence":
        return { kind: "list", items: node.items };
      case "mapping":
        return { kind: "map", entries: node.entries.map((entry) => this.#entry(entry.key, entry.value)) };
      case "alias":
        if (holds(node.target, node)) this.fail(`anchor '${node.name}' value contains itself`, node);
        return this.read(node.target);
    }
  }

  placeOf(node: YamlNode): Place {
    return node;
  }

  failDeep(node: YamlNode): never {
    return this.fail(`nesting of more than ${maxDocumentDepth} levels`, node);
  }

  /** Throws SpiffError with the place of a node. */
  fail(problem: string, { line, column }: Place): never {
    const place = { line, column };
    throw new SpiffError(`${this.#prefix}: yaml: ${problem} at line ${line}, column ${column}`, [], { place });
  }

  #entry(key: YamlNode, value: YamlNode): Entry<YamlNode> {
    const node = key.kind === "alias" ? key.target : key;
    const name = node.kind === "scalar" ? scalarValue(node) : undefined;
    if (typeof name === "string") return { key: name, value };
    const found = name === undefined ? "a container" : yamlText(name).trim();
    return this.fail(`map key must be a string: ${found}`, key);
  }
}

/** An alias stands behind what it names, or within it. */
function holds(target: YamlNode, { start }: YamlNode): boolean {
  return target.kind !== "scalar" && target.start < start && start < target.end;
}

/** Tags other than `!!str` and `!!binary` have no effect. Dates stay text. Decimal integers beyond int64 become floats, and hexadecimal and binary ones stay text. */
function scalarValue({ text, style, tag }: YamlScalar): Scalar {
  if (style !== "plain" && tag === undefined) return text;
  if (tag === "tag:yaml.org,2002:str") return text;
  if (tag === "tag:yaml.org,2002:binary") return Buffer.from(text, "base64").toString("utf8");
  // In any mixture of cases.
  if (/^(?:true|yes|on)$/i.test(text)) return true;
  if (/^(?:false|no|off)$/i.test(text)) return false;
  const found = resolvePlainScalar(text);
  if (found.type === "null") return null;
  if (found.type !== "int") return found.value;
  return fitsInt64(found.value) ? found.value : (parseGoFloat(text.replaceAll("_", "")) ?? text);
}
