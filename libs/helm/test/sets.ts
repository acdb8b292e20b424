import { type GoMap, fromPlain, isMap } from "@landscaper/golang";
import { ChartError } from "../src/chart/chart-error.ts";
import { setValues, type SetKind } from "../src/values/set/set-values.ts";
import { typedDump } from "./typed-dump.ts";

/** A --set text with what Helm makes of it. */
export interface SetCase {
  readonly kind: SetKind;
  readonly text: string;
  readonly into?: Readonly<Record<string, unknown>>;
}

export interface SetResult {
  /** See typedDump; not told beside an error. */
  readonly values?: unknown;
  readonly error?: string;
}

/** What we make of the text. Files are not read: "missing..." are not there. */
export function runSet({ kind, text, into }: SetCase): SetResult {
  const map = fromPlain(into ?? {});
  const values: GoMap = isMap(map) ? map : new Map();
  try {
    setValues(values, text, { kind, readFile });
    return { values: typedDump(values) };
  } catch (error) {
    if (error instanceof ChartError) return { error: error.message };
    throw error;
  }
}

function readFile(name: string): string {
  if (name.startsWith("missing")) throw new ChartError(`no file ${name}`);
  return `content of ${name}`;
}
