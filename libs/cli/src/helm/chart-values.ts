import { readFileSync } from "node:fs";
import { encodeUtf8, type GoMap } from "@landscaper/golang";
import { ChartError, type HelmDialect, type ValueFlags, valuesOfFlags } from "@landscaper/helm";
import type { CommandContext } from "../command.ts";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { readCsv } from "../flags/read-csv.ts";

/** The values that -f, --set and the like give, merged as Helm does. Throws ChartError in its words. */
export async function givenValues(parsed: ParsedFlags, context: CommandContext, dialect: HelmDialect): Promise<GoMap> {
  const flags = valueFlags(parsed);
  const stdin = flags.valueFiles?.includes("-") === true ? await context.readStdin() : "";
  return valuesOfFlags(flags, (name) => readValueFile(name, stdin), dialect);
}

function valueFlags(parsed: ParsedFlags): ValueFlags {
  return {
    valueFiles: parsed.list("values").flatMap(readCsv),
    json: parsed.list("set-json"),
    set: parsed.list("set"),
    string: parsed.list("set-string"),
    file: parsed.list("set-file"),
    literal: parsed.list("set-literal"),
  };
}

/** "-" is stdin. */
function readValueFile(name: string, stdin: string): Uint8Array {
  if (name.trim() === "-") return encodeUtf8(stdin);
  try {
    return readFileSync(name);
  } catch (error) {
    throw new ChartError(`open ${name}: ${systemMessage(error)}`, { file: name, cause: error });
  }
}

/** Go's words for what the system says. */
function systemMessage(error: unknown): string {
  const message = String(Reflect.get(Object(error), "message") ?? error);
  return /^E[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message;
}
