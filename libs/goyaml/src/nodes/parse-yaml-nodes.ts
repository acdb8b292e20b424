import { Scanner } from "../scan/scanner.ts";
import { type YamlInput, readInput } from "../scan/yaml-input.ts";
import { YamlError } from "../yaml-error.ts";
import { NodeParser } from "./node-parser.ts";
import type { YamlNode } from "./node.ts";

/**
 * The root node of each document of a YAML 1.1 text, by libyaml's grammar. An empty text has no documents; an empty
 * document is a plain scalar without text. Throws YamlError with go-yaml's words ("yaml: line 2: ...").
 */
export function parseYamlNodes(text: string): YamlNode[] {
  const next = documentReader(text);
  const roots: YamlNode[] = [];
  for (let root = next(); root !== undefined; root = next()) roots.push(root);
  return roots;
}

/** The root node of the first document; what follows it is not looked at. */
export function parseFirstDocument(text: string): YamlNode | undefined {
  return documentReader(text)();
}

/** A line that may end a document. */
const documentEnd = /\n(?:---|\.\.\.)(?:\s|$)/;

/** Returns true if a document with content, or invalid YAML, follows the first document of a text. `parseFirstDocument` does not read it. */
export function hasFurtherContent(text: string): boolean {
  if (!documentEnd.test(text)) return false;
  const next = documentReader(text);
  try {
    next();
    for (let root = next(); root !== undefined; root = next()) if (!isEmptyDocument(root)) return true;
    return false;
  } catch (error) {
    if (error instanceof YamlError) return true;
    throw error;
  }
}

function isEmptyDocument(root: YamlNode): boolean {
  return root.kind === "scalar" && root.text === "" && root.style === "plain";
}

/** The same in parts, so that others can have a turn between them; each has `stepsPerPart` pieces of collections. */
export function* parseFirstDocumentInParts(text: string): Generator<undefined, YamlNode | undefined> {
  const { parser, check } = startParser(text);
  try {
    const root = yield* parser.parts();
    check();
    return root;
  } catch (error) {
    check();
    throw error;
  }
}

function documentReader(text: string): () => YamlNode | undefined {
  const { parser, check } = startParser(text);
  return () => {
    try {
      const root = parser.next();
      check();
      return root;
    } catch (error) {
      check();
      throw error;
    }
  };
}

function startParser(text: string): { readonly parser: NodeParser; readonly check: () => void } {
  const input = readInput(text);
  const scanner = new Scanner(input.text, input.start);
  return { parser: new NodeParser(scanner), check: () => checkReach(input, scanner) };
}

/** Where bad characters follow the text, nothing counts that came from looking at its end. */
function checkReach({ text, problem }: YamlInput, scanner: Scanner): void {
  if (problem !== undefined && scanner.lookedAt > text.length) throw new YamlError(`yaml: ${problem}`, { problem });
}
