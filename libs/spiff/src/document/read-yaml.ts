import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Node,
  type Scalar,
} from "yaml";
import { SpiffError } from "../spiff-error.ts";
import { yamlText } from "../output/yaml-text.ts";
import { resolveScalar } from "./resolve-scalar.ts";

/** More nodes than this can only come from aliases of aliases. */
const maxNodes = 2_000_000;

/**
 * The only document of a YAML text as Maps, arrays and scalars; ints are bigint. Throws SpiffError, which says what kind of
 * document it is about.
 */
export function readYaml(text: string, name: string, kind = "template"): unknown {
  const documents = readAllYaml(text, name, kind);
  if (documents.length > 1) throw new SpiffError(`error parsing ${kind} [${name}]: multi document not possible`);
  return documents[0] ?? null;
}

/** All documents of a YAML text. Throws SpiffError. */
export function readAllYaml(text: string, name: string, kind = "template"): unknown[] {
  const lines = new LineCounter();
  const fail = (message: string, offset: number): never => {
    const { line, col } = lines.linePos(offset);
    throw new SpiffError(`error parsing ${kind} [${name}]: yaml: ${message} at line ${line}, column ${col}`);
  };
  const options = { version: "1.1", schema: "failsafe", uniqueKeys: false, merge: false, logLevel: "silent" } as const;
  const documents = parseAllDocuments(text, { ...options, lineCounter: lines, prettyErrors: false });
  if (!Array.isArray(documents)) return [];
  return documents.map((document: Document.Parsed) => {
    const [problem] = document.errors;
    if (problem !== undefined) fail(problem.message, problem.pos[0]);
    return new Reader(document, fail).read(document.contents);
  });
}

class Reader {
  readonly #document: Document.Parsed;
  readonly #fail: (message: string, offset: number) => never;
  #nodes = 0;

  constructor(document: Document.Parsed, fail: (message: string, offset: number) => never) {
    this.#document = document;
    this.#fail = fail;
  }

  read(node: unknown): unknown {
    if (++this.#nodes > maxNodes) return this.#fail("too many aliases", 0);
    if (isScalar(node)) return scalarValue(node);
    if (isSeq(node)) return node.items.map((item) => this.read(item));
    if (isAlias(node)) return this.read(this.#target(node));
    if (!isMap(node)) return null;
    const map = new Map<string, unknown>();
    for (const { key, value } of node.items) map.set(this.#key(key), this.read(value));
    return map;
  }

  #target(node: Node): Node {
    const target = isAlias(node) ? node.resolve(this.#document) : undefined;
    return target ?? this.#fail("unknown anchor referenced", node.range?.[0] ?? 0);
  }

  #key(node: unknown): string {
    const key = this.read(node);
    if (typeof key === "string") return key;
    const offset = isScalar(node) ? (node.range?.[0] ?? 0) : 0;
    return this.#fail(
      `map key must be a string: ${typeof key === "object" ? "a container" : yamlText(key).trim()}`,
      offset,
    );
  }
}

function scalarValue(node: Scalar): unknown {
  const text = typeof node.value === "string" ? node.value : "";
  if (node.tag === "tag:yaml.org,2002:str" || node.tag === "!") return text;
  if (node.type === "PLAIN" || node.tag !== undefined) return resolveScalar(text);
  return text;
}
