import { type GoMap, decodeUtf8, fromPlain, isMap, trimSpace } from "@landscaper/golang";
import { fromGoJson, JsonError, YamlError } from "@landscaper/goyaml";
import { ChartError } from "../chart/chart-error.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { mergeValues } from "./merge-values.ts";
import { parseValues } from "./parse-values.ts";
import { type SetKind, setValues } from "./set/set-values.ts";

/** Values as Helm's commands take them; each flag may come several times. */
export interface ValueFlags {
  /** -f, --values: files, of which later ones win. */
  readonly valueFiles?: readonly string[];
  /** --set-json */
  readonly json?: readonly string[];
  /** --set */
  readonly set?: readonly string[];
  /** --set-string */
  readonly string?: readonly string[];
  /** --set-file */
  readonly file?: readonly string[];
  /** --set-literal */
  readonly literal?: readonly string[];
}

/** The content of a file; throws ChartError in Go's words when there is none ("open NAME: no such file or directory"). */
type ReadFile = (name: string) => Uint8Array;

/** In the order in which Helm applies them, over the files. */
const setKinds: readonly SetKind[] = ["json", "set", "string", "file", "literal"];

/** The values that flags give, as Helm merges them. Throws ChartError with its message, which may quote what was given. */
export function valuesOfFlags(flags: ValueFlags, readFile: ReadFile, dialect: HelmDialect = helm3): GoMap {
  let values: GoMap = new Map();
  for (const name of flags.valueFiles ?? []) values = mergeValues(values, readValues(name, readFile, dialect));
  for (const kind of setKinds) {
    for (const text of flags[kind] ?? []) {
      if (kind === "json" && dialect.values.setsJsonObjects && startsObject(text)) {
        values = mergeValues(values, parseJsonObject(text));
      } else applySet(values, text, { kind, readFile, mayEndInIndex: dialect.values.mayEndInIndex });
    }
  }
  return values;
}

function startsObject(text: string): boolean {
  return trimSpace(text).startsWith("{");
}

function parseJsonObject(text: string): GoMap {
  try {
    const values = fromPlain(fromGoJson(text));
    if (isMap(values)) return values;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new ChartError(`failed parsing --set-json data JSON: ${text}`);
}

function readValues(name: string, readFile: ReadFile, dialect: HelmDialect): GoMap {
  const data = readFile(name);
  try {
    return parseValues(decodeUtf8(data), dialect.values.documents);
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof ChartError)) throw error;
    throw new ChartError(`failed to parse ${name}: ${error.message}`, { file: name, cause: error });
  }
}

interface SetFlag {
  readonly kind: SetKind;
  readonly readFile: ReadFile;
  readonly mayEndInIndex: boolean;
}

function applySet(values: GoMap, text: string, { kind, readFile, mayEndInIndex }: SetFlag): void {
  try {
    setValues(values, text, { kind, readFile: (name) => decodeUtf8(readFile(name)), mayEndInIndex });
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const flag = kind === "set" ? "--set" : `--set-${kind}`;
    const problem = kind === "json" ? ` ${text}` : `: ${error.message}`;
    throw new ChartError(`failed parsing ${flag} data${problem}`, { cause: error });
  }
}
