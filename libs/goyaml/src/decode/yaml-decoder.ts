import { countAliasing } from "./alias-budget.ts";
import { formatFloat } from "../numbers/format-float.ts";
import { goSyntax, scalarSyntax } from "./go-syntax.ts";
import { keyName } from "./key-name.ts";
import { isMergeKey } from "./merge-key.ts";
import type { YamlAlias, YamlMapping, YamlNode, YamlScalar } from "../nodes/node.ts";
import { type ResolvedScalar, smallInteger } from "../scalars/resolve-scalar.ts";
import { resolveScalar } from "../scalars/tagged-scalar.ts";
import { YamlError } from "../yaml-error.ts";

/** Collections that may be in each other. Go has no bound below its parser's 10,000; here what follows recurses. */
const maxDepth = 1000;

export interface DecoderOptions {
  /** Integers beyond 2^53 as bigint. */
  readonly isExact: boolean;
  readonly rejectDuplicates: boolean;
  /** Numbers as WrittenNumber. */
  readonly isWritten?: boolean;
  /** Keys and values, those that aliases repeat included. */
  readonly maxValues?: number | undefined;
}

/** A number with the text that sigs.k8s.io/yaml makes of it where a Go program wants a string. */
export class WrittenNumber {
  readonly value: number;
  readonly text: string;

  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** A map under construction. */
interface Target {
  readonly object: Record<string, unknown>;
  /** The keys that it has, in Go's syntax: there 1 and "1" are different ones. Only where duplicates matter. */
  readonly keys: Set<string> | undefined;
}

/** Turns nodes into plain data by the rules of go-yaml v2 and sigs.k8s.io/yaml. */
export class YamlDecoder {
  readonly #options: DecoderOptions;
  readonly #count: ReturnType<typeof countAliasing>;
  /** The aliases that the node at hand is under. */
  readonly #aliases = new Set<YamlAlias>();
  readonly #duplicates: string[] = [];
  #firstDuplicate: { problem: string; line: number; column: number } | undefined;
  /** What is wrong with a key of a map, for the maps that JSON cannot have. */
  readonly #badKeys = new Map<unknown, YamlError>();
  #depth = 0;
  /** Whether it met a number that JSON does not have. */
  hasNonFinite = false;

  constructor(options: DecoderOptions) {
    this.#options = options;
    this.#count = countAliasing(options.maxValues);
  }

  /** The value of a document's root. Throws YamlError. */
  decodeRoot(node: YamlNode): unknown {
    const value = this.#decode(node);
    if (this.#duplicates.length > 0) {
      throw new YamlError(`yaml: unmarshal errors:\n  ${this.#duplicates.join("\n  ")}`, this.#firstDuplicate);
    }
    // Maps that a repeated key has replaced do not count.
    if (this.#badKeys.size > 0) this.#checkKeys(value);
    return value;
  }

  #decode(node: YamlNode): unknown {
    this.#count(this.#aliases.size > 0);
    switch (node.kind) {
      case "scalar":
        return this.#scalar(node);
      case "alias":
        return this.#underAlias(node, () => this.#decode(node.target));
      case "sequence": {
        this.#enter(node);
        const items = node.items.map((item) => this.#decode(item));
        this.#depth--;
        return items;
      }
      case "mapping": {
        const keys = this.#options.rejectDuplicates ? new Set<string>() : undefined;
        const target: Target = { object: {}, keys };
        this.#fill(target, node);
        return target.object;
      }
    }
  }

  #underAlias<T>(alias: YamlAlias, decode: () => T): T {
    if (this.#aliases.has(alias)) {
      fail(alias, "anchor value contains itself", `anchor '${alias.name}' value contains itself`);
    }
    this.#aliases.add(alias);
    const value = decode();
    this.#aliases.delete(alias);
    return value;
  }

  #enter(node: YamlNode): void {
    if (++this.#depth > maxDepth) fail(node, `exceeded max depth of ${maxDepth}`);
  }

  #fill(target: Target, map: YamlMapping): void {
    this.#enter(map);
    for (const { key, value } of map.entries) {
      if (isMergeKey(key)) this.#merge(target, value);
      else this.#set(target, key, value);
    }
    this.#depth--;
  }

  #set({ object, keys }: Target, keyNode: YamlNode, valueNode: YamlNode): void {
    const key = this.#key(keyNode);
    const value = this.#decode(valueNode);
    if (keys !== undefined) {
      const syntax = scalarSyntax(key);
      if (keys.has(syntax)) this.#reportDuplicate(syntax, keyNode, valueNode);
      keys.add(syntax);
    }
    const name = keyName(key);
    if (name !== undefined) setOwn(object, name, value);
    else if (!this.#badKeys.has(object)) this.#badKeys.set(object, unsupportedKey(key, keyNode, valueNode));
  }

  #reportDuplicate(key: string, keyNode: YamlNode, valueNode: YamlNode): void {
    const { line, column } = keyNode;
    this.#firstDuplicate ??= { problem: "key already set in map", line, column };
    this.#duplicates.push(`line ${valueNode.line}: key ${key} already set in map`);
  }

  #key(node: YamlNode): ResolvedScalar {
    this.#count(this.#aliases.size > 0);
    if (node.kind === "alias") return this.#underAlias(node, () => this.#key(node.target));
    if (node.kind === "scalar") return resolveScalar(node);
    // Its own mistakes come before that it is no scalar.
    this.#decode(node);
    return fail(node, `invalid map key: a ${node.kind}`, `invalid map key: ${goSyntax(node)}`);
  }

  #checkKeys(value: unknown): void {
    const problem = this.#badKeys.get(value);
    if (problem !== undefined) throw problem;
    if (typeof value === "object" && value !== null) for (const item of Object.values(value)) this.#checkKeys(item);
  }

  /** `<<`: the keys of a map or of a list of maps; earlier maps win over later ones, and later keys over all. */
  #merge(target: Target, value: YamlNode): void {
    if (value.kind !== "sequence") {
      this.#mergeMap(target, value);
      return;
    }
    for (const item of value.items.toReversed()) this.#mergeMap(target, item);
  }

  #mergeMap(target: Target, node: YamlNode): void {
    const map = node.kind === "alias" ? node.target : node;
    if (map.kind !== "mapping") fail(node, "map merge requires map or sequence of maps as the value");
    this.#count(this.#aliases.size > 0);
    if (node.kind !== "alias") this.#fill(target, map);
    else
      this.#underAlias(node, () => {
        this.#count(true);
        this.#fill(target, map);
      });
  }

  #number(value: number, text: string): number | WrittenNumber {
    return this.#options.isWritten === true ? new WrittenNumber(value, text) : value;
  }

  #scalar(node: YamlScalar): unknown {
    if (node.tag === undefined) {
      if (node.style !== "plain") return node.text;
      const small = smallInteger(node.text);
      if (small !== undefined) return this.#number(small, String(small));
    }
    const scalar = resolveScalar(node);
    switch (scalar.type) {
      case "null":
        return null;
      case "int": {
        const number = Number(scalar.value);
        if (this.#options.isExact && !Number.isSafeInteger(number)) return scalar.value;
        return this.#number(number, scalar.value.toString());
      }
      case "float":
        if (!Number.isFinite(scalar.value)) this.hasNonFinite = true;
        return this.#number(scalar.value, this.#options.isWritten === true ? formatFloat(scalar.value, "g", -1) : "");
      case "bool":
      case "timestamp":
      case "string":
        return scalar.value;
    }
  }
}

function fail({ line, column }: YamlNode, problem: string, message = problem): never {
  throw new YamlError(`yaml: ${message}`, { problem, line, column });
}

function unsupportedKey(key: ResolvedScalar, keyNode: YamlNode, valueNode: YamlNode): YamlError {
  const { line, column } = keyNode;
  const type = key.type === "null" ? "%!s(<nil>)" : "uint64";
  const problem = `unsupported map key of type ${key.type === "null" ? key.type : type}`;
  const message = `unsupported map key of type: ${type}, key: ${scalarSyntax(key)}, value: ${goSyntax(valueNode)}`;
  return new YamlError(message, { problem, line, column });
}

/** Assigns a property also when it is called __proto__. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}
