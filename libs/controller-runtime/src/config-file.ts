import { readFile } from "node:fs/promises";
import {
  configurationError,
  createParser,
  describeYamlFailure,
  warnOfIgnoredFields,
  type Warning,
} from "@landscaper/api";
import type { Static, TSchema } from "typebox";
import { LineCounter, parseDocument } from "yaml";
import { errorCode } from "./error-members.ts";

/** A configuration that was read, and the fields of its file that nobody knows. */
export interface LoadedConfig<Configuration> {
  readonly configuration: Configuration;
  readonly warnings: readonly Warning[];
}

/**
 * Reads a YAML configuration file and checks it against its schema, whose defaults are filled in. Throws a LandscaperError
 * (reason InvalidConfiguration or InvalidInput) that names the file, the line or field, what was expected and what was found.
 */
export async function loadConfigFile<S extends TSchema>(schema: S, path: string): Promise<LoadedConfig<Static<S>>> {
  const value = parseConfig(await readConfig(path), path);
  const parse = createParser<Static<S>>(schema, kindOf(schema));
  const configuration = parse(value, path);
  return { configuration, warnings: warnOfIgnoredFields(path, parse.findIgnored(value)) };
}

async function readConfig(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw configurationError(`${path}: the configuration file cannot be read (${errorCode(error) ?? "unreadable"})`);
  }
}

/** An empty file is a configuration of defaults. */
function parseConfig(text: string, path: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw configurationError(`${path}:${line}:${col}: expected YAML: ${describeYamlFailure(error.code)}`);
  }
  return document.toJS() ?? {};
}

/** The kind that the schema prescribes, for messages. */
function kindOf(schema: TSchema): string {
  const properties: unknown = Reflect.get(schema, "properties");
  const kind: unknown = isMap(properties) ? properties["kind"] : undefined;
  const name: unknown = isMap(kind) ? kind["const"] : undefined;
  return typeof name === "string" ? name : "configuration";
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
