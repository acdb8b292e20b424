import { readAllYaml } from "../../document/read-yaml.ts";
import { definitionAt, type Environment } from "../../evaluate/environment.ts";
import { failLocally, quoting, withheld } from "../../evaluate/failure.ts";
import { sourceOfValue } from "../../evaluate/source-of-value.ts";
import { evaluateSource, openSource } from "../../evaluate/template.ts";
import { SpiffError } from "../../spiff-error.ts";
import { listOf } from "../../value/build-value.ts";
import { fromPlain } from "../../value/from-plain.ts";
import { TemplateValue, type Value } from "../../value/value.ts";

/** Where a text comes from. */
export interface TextOrigin {
  readonly name: string;
  /**
   * Expressions in YAML are evaluated: the text is a file of the blueprint. Text that was computed may come from imports:
   * what looks like an expression in it stays text.
   */
  readonly isTrusted: boolean;
  readonly environment: Environment;
}

/** The content of a file or text in one of the modes of read and parse. */
export function parseText(text: string, mode: string, origin: TextOrigin): Value {
  origin.environment.document.budget.chargeDocument(text);
  switch (mode) {
    case "text":
      return text;
    case "binary":
      return Buffer.from(text).toString("base64");
    case "yaml":
      return valueOf(onlyDocument(text, origin), origin);
    case "import":
      return importOf(onlyDocument(text, origin), origin);
    case "multiyaml":
    case "importmulti":
      return listOf(documentsOf(text, origin).map((document) => valueOf(document, origin)));
    case "template":
      return templateOf(onlyDocument(text, origin), origin);
    case "templates":
      return listOf(documentsOf(text, origin).map((document) => templateOf(document, origin)));
    default:
      return failLocally(quoting`invalid file type [${origin.name}] ${mode}`);
  }
}

/** YAML's own merge: a map below the key `<<` gives the entries that its parent lacks. */
function withMergedKeys(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(withMergedKeys);
  if (!(document instanceof Map)) return document;
  const inserted: unknown = document.get("<<");
  const own = [...document].filter(([key]) => key !== "<<" || !(inserted instanceof Map));
  const entries = inserted instanceof Map ? [...inserted, ...own] : own;
  return new Map(entries.map(([key, value]) => [key, withMergedKeys(value)] as const));
}

function onlyDocument(text: string, origin: TextOrigin): unknown {
  const documents = documentsOf(text, origin);
  return documents.length > 1
    ? failLocally(quoting`error parsing file [${origin.name}]: multi document not possible`)
    : documents[0];
}

function documentsOf(text: string, { name }: TextOrigin): unknown[] {
  try {
    const documents = readAllYaml(text, name);
    return documents.length === 0 ? [null] : documents;
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const text = error.message.replace("error parsing template", "error parsing file");
    return failLocally({ text, safeText: text.replace(`[${name}]`, `[${withheld}]`) });
  }
}

function valueOf(document: unknown, { name, isTrusted, environment }: TextOrigin): Value {
  if (!isTrusted) return fromPlain(withMergedKeys(document), "original");
  const source = environment.document.sources.build(document);
  return evaluateSource(
    source,
    { ...environment, isUnmerged: true },
    {
      what: quoting`yaml file '${name}'`,
      document: quoting`${name}`,
    },
  );
}

/** Only the part that is selected from an import has to have a value. */
function importOf(document: unknown, { isTrusted, environment }: TextOrigin): Value {
  if (!isTrusted) return fromPlain(withMergedKeys(document), "integers");
  return openSource(environment.document.sources.build(document), { ...environment, isUnmerged: true });
}

function templateOf(document: unknown, { isTrusted, environment }: TextOrigin): Value {
  const { sources } = environment.document;
  return new TemplateValue(
    isTrusted ? sources.build(document) : sourceOfValue(fromPlain(withMergedKeys(document), "original")),
    definitionAt(environment),
    false,
  );
}
