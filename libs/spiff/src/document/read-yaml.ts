import { parseYamlNodes, YamlError, type YamlNode } from "@landscaper/goyaml";
import { SpiffError } from "../spiff-error.ts";
import { maxDocumentDepth, type DocumentForm } from "./document-form.ts";
import { YamlForm } from "./yaml-form.ts";

/** The documents of a YAML text as nodes, and how to read them. */
export interface YamlDocuments {
  readonly roots: readonly YamlNode[];
  readonly form: YamlForm;
}

/** Documents of a text. Throws SpiffError, which says what kind of document it is about. */
export function parseDocuments(text: string, name: string, kind = "template"): YamlDocuments {
  const prefix = `error parsing ${kind} [${name}]`;
  try {
    return { roots: parseYamlNodes(text), form: new YamlForm(prefix, text) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, column, problem } = error;
    if (line === undefined) throw new SpiffError(`${prefix}: yaml: ${problem}`);
    const place = { line, column: column ?? 1 };
    throw new SpiffError(`${prefix}: yaml: ${problem} at line ${place.line}, column ${place.column}`, [], { place });
  }
}

/** The only document of a text; undefined for an empty text. Throws SpiffError. */
export function parseOnlyDocument(text: string, name: string, kind = "template"): YamlDocuments {
  const documents = parseDocuments(text, name, kind);
  if (documents.roots.length > 1) throw new SpiffError(`error parsing ${kind} [${name}]: multi document not possible`);
  return documents;
}

/**
 * The only document of a YAML text as Maps, arrays and scalars; ints are bigint. Throws SpiffError, which says what kind of
 * document it is about.
 */
export function readYaml(text: string, name: string, kind = "template"): unknown {
  const { roots, form } = parseOnlyDocument(text, name, kind);
  const [root] = roots;
  return root === undefined ? null : toData(root, form);
}

/** All documents of a YAML text. Throws SpiffError. */
export function readAllYaml(text: string, name: string, kind = "template"): unknown[] {
  const { roots, form } = parseDocuments(text, name, kind);
  return roots.map((root) => toData(root, form));
}

function toData(node: YamlNode, form: DocumentForm<YamlNode>, depth = 0): unknown {
  const shape = form.read(node);
  if (depth > maxDocumentDepth) form.failDeep(node);
  switch (shape.kind) {
    case "scalar":
      return shape.value;
    case "list":
      return shape.items.map((item) => toData(item, form, depth + 1));
    case "map":
      return new Map(shape.entries.map(({ key, value }) => [key, toData(value, form, depth + 1)] as const));
  }
}
