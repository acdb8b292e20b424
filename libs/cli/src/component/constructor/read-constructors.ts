import { createErrorCollector } from "@landscaper/api";
import { parseTemplate, sprigFunctions, TemplateError } from "@landscaper/gotemplate";
import { parseConstructor, type ComponentConstructor } from "@landscaper/ocm";
import { startCommandBudget } from "../../render-budget.ts";
import { nameDocuments, parseDocuments, type Document } from "../../render/parse-documents.ts";
import { UsageError } from "../../usage-error.ts";
import { expandVariables } from "./expand-variables.ts";
import { mergeSpiff } from "./merge-spiff.ts";
import { settingText, type Settings } from "./read-settings.ts";

/** How variables get into a constructor file. */
export const templaters = ["subst", "none", "go", "spiff"] as const;
export type Templater = (typeof templaters)[number];

export interface ConstructorFile {
  readonly name: string;
  readonly text: string;
}

export interface ReadOptions {
  readonly templater: Templater;
  readonly settings: Settings;
  /** Of components that name none. */
  readonly version: string | undefined;
  readonly warn: (message: string) => void;
}

/** The components of a constructor file, with its variables replaced. Throws UsageError and LandscaperError that name the place in the file. */
export function readConstructors(file: ConstructorFile, options: ReadOptions): readonly ComponentConstructor[] {
  const { version } = options;
  const documents = readDocuments(file, options);
  const errors = createErrorCollector();
  const constructors = documents.flatMap(({ value, where }) =>
    errors.collect(() => parseConstructor(value, where, { version })).flat(),
  );
  errors.throwAll();
  if (constructors.length > 0) return constructors;
  throw new UsageError(`${file.name}: expected components, found none`);
}

const yamlVersion = "1.2";

function readDocuments(file: ConstructorFile, { templater, settings, warn }: ReadOptions): readonly Document[] {
  const { name, text } = file;
  switch (templater) {
    case "none":
      return parseDocuments(text, name, yamlVersion);
    case "subst": {
      const expanded = expandVariables(text, (variable) => settingText(settings, variable), name);
      for (const { name: variable, line, column } of expanded.undefinedNames) {
        warn(
          `${name}: line ${line}, column ${column}: the variable ${variable} has no value, and becomes an empty text; give ${variable}=VALUE, --settings FILE or --addenv`,
        );
      }
      return parseDocuments(expanded.text, name, yamlVersion);
    }
    case "go":
      return parseDocuments(executeTemplate(file, settings), name, yamlVersion);
    case "spiff":
      return evaluateSpiff(file, settings);
  }
}

function executeTemplate(file: ConstructorFile, settings: Settings): string {
  try {
    const template = parseTemplate({ ...file, functions: sprigFunctions, missingKey: "error" });
    return template.execute(settings, { budget: startCommandBudget() });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new UsageError(`${error.message}${remedyOfTemplate(error.message)}`);
  }
}

function remedyOfTemplate(message: string): string {
  const [, place, key] = /at <([^<>]*)>: map has no entry for key "(\w+)"$/.exec(message) ?? [];
  if (key === undefined) return "";
  return place === `.${key}` || place === `$.${key}`
    ? `. Give the variable a value: ${key}=VALUE, --settings FILE or --addenv`
    : `. Add ${key} to the map, in the file of --settings`;
}

/** Each document is read as YAML 1.2 before its expressions are evaluated, as with `ocm`: `yes` is a text. */
function evaluateSpiff({ name, text }: ConstructorFile, values: Settings): readonly Document[] {
  return parseDocuments(text, name, yamlVersion).flatMap(({ value, where }) => {
    const { output } = mergeSpiff({ template: { name: where, data: value }, bindings: { values } });
    return nameDocuments([output], where);
  });
}
