import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type LineCounter,
  type Node,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { formatFloat } from "./format-float.ts";
import { fitsInt64 } from "./parse-number.ts";
import { resolvePlainScalar, type ResolvedScalar } from "./resolve-scalar.ts";
import { decodeTagged } from "./tagged-scalar.ts";
import { YamlError } from "./yaml-error.ts";

/** More nodes than this can only come from aliases of aliases. */
const maxNodes = 2_000_000;
const maxDepth = 1000;

export interface DecoderOptions {
  readonly text: string;
  readonly lines: LineCounter;
  /** What each alias stands for. */
  readonly anchored: ReadonlyMap<Alias, Node>;
  /** Integers beyond 2^53 as bigint. */
  readonly isExact: boolean;
  readonly rejectDuplicates: boolean;
}

/** Turns parsed YAML nodes into plain data by the rules of go-yaml v2 and sigs.k8s.io/yaml. */
export class YamlDecoder {
  readonly #options: DecoderOptions;
  #nodes = 0;
  #depth = 0;

  constructor(options: DecoderOptions) {
    this.#options = options;
  }

  decode(node: unknown): unknown {
    if (++this.#nodes > maxNodes) this.#fail(node, "document contains excessive aliasing");
    if (isScalar(node)) return this.#plainValue(this.#scalar(node));
    if (!isMap(node) && !isSeq(node) && !isAlias(node)) return null;
    if (++this.#depth > maxDepth) this.#fail(node, "exceeded max depth of 1000");
    const value = this.#collection(node);
    this.#depth--;
    return value;
  }

  #collection(node: Node): unknown {
    if (isAlias(node)) {
      const target = this.#options.anchored.get(node);
      return target === undefined
        ? this.#fail(node, `unknown anchor '${node.source}' referenced`)
        : this.decode(target);
    }
    if (isSeq(node)) return node.items.map((item) => this.decode(item));
    const object: Record<string, unknown> = {};
    if (isMap(node)) this.#fill(object, node);
    return object;
  }

  #fill(object: Record<string, unknown>, map: YAMLMap): void {
    const seen = new Set<string>();
    for (const { key, value } of map.items) {
      if (isScalar(key) && isMergeKey(key)) {
        this.#merge(object, value);
        continue;
      }
      const name = this.#key(key);
      if (this.#options.rejectDuplicates && seen.has(name)) this.#fail(key, `key "${name}" already set in map`);
      seen.add(name);
      setOwn(object, name, this.decode(value));
    }
  }

  /** `<<`: the keys of a map or of a list of maps; earlier maps win over later ones, and later keys over all. */
  #merge(object: Record<string, unknown>, value: unknown): void {
    const target = isAlias(value) ? this.#options.anchored.get(value) : value;
    if (isMap(target)) {
      for (const [name, item] of Object.entries(recordOf(this.decode(target)))) setOwn(object, name, item);
      return;
    }
    if (!isSeq(target) || isAlias(value)) this.#fail(value, "map merge requires map or sequence of maps as the value");
    for (const item of target.items.toReversed()) {
      const map = isAlias(item) ? this.#options.anchored.get(item) : item;
      if (!isMap(map)) this.#fail(item, "map merge requires map or sequence of maps as the value");
      this.#merge(object, map);
    }
  }

  #key(key: unknown): string {
    const node = isAlias(key) ? this.#options.anchored.get(key) : key;
    if (!isScalar(node)) return this.#fail(key, `invalid map key: a ${isSeq(node) ? "list" : "map"}`);
    const scalar = this.#scalar(node);
    switch (scalar.type) {
      case "string":
      case "timestamp":
        return scalar.value;
      case "bool":
        return String(scalar.value);
      case "int":
        if (fitsInt64(scalar.value)) return scalar.value.toString();
        return this.#fail(key, "unsupported map key of type: uint64");
      case "float":
        return floatKey(scalar.value);
      case "null":
        return this.#fail(key, "unsupported map key of type: <nil>");
    }
  }

  #scalar(node: Scalar): ResolvedScalar {
    const text = this.#sourceOf(node);
    if (node.tag !== undefined && node.tag !== "!") {
      const tagged = decodeTagged(node.tag, text);
      return typeof tagged === "string" ? this.#fail(node, tagged) : tagged;
    }
    return node.type === "PLAIN" && node.tag === undefined ? resolvePlainScalar(text) : { type: "string", value: text };
  }

  #sourceOf(node: Scalar): string {
    const text = typeof node.value === "string" ? node.value : (node.source ?? "");
    const isBlock = node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED";
    // A block scalar that the end of the text cuts off has no last newline.
    const endsText = isBlock && (node.range?.[1] ?? 0) >= this.#options.text.length;
    return endsText && !this.#options.text.endsWith("\n") && text.endsWith("\n") ? text.slice(0, -1) : text;
  }

  #plainValue(scalar: ResolvedScalar): unknown {
    switch (scalar.type) {
      case "null":
        return null;
      case "int": {
        const number = Number(scalar.value);
        return Number.isSafeInteger(number) || !this.#options.isExact ? number : scalar.value;
      }
      case "float":
        if (Number.isFinite(scalar.value)) return scalar.value;
        throw new YamlError(
          `error converting YAML to JSON: json: unsupported value: ${formatFloat(scalar.value, "g", -1)}`,
        );
      case "bool":
      case "timestamp":
      case "string":
        return scalar.value;
    }
  }

  #fail(node: unknown, message: string): never {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
    if (range === undefined || range === null) throw new YamlError(`yaml: ${message}`);
    const { line, col } = this.#options.lines.linePos(range[0]);
    throw new YamlError(`yaml: line ${line}: ${message}`, { line, column: col });
  }
}

function isMergeKey(key: Scalar): boolean {
  return (
    key.value === "<<" && (key.tag === "tag:yaml.org,2002:merge" || (key.type === "PLAIN" && key.tag === undefined))
  );
}

/** A float as a key: go prints it with the digits of a float32. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value < 0 ? "-.inf" : ".inf";
  const single = Math.fround(value);
  for (let digits = 1; digits <= 9; digits++) {
    const candidate = Number(single.toPrecision(digits));
    if (Math.fround(candidate) === single) return formatFloat(candidate, "g", -1);
  }
  return formatFloat(value, "g", -1);
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Assigns a property also when it is called __proto__. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}
