import { suggestName } from "@landscaper/api";
import { spiffFunctionNames } from "@landscaper/spiff";
import { hostFunctionNames } from "../template-host.ts";
import { isRecord } from "../parameter/describe-value.ts";

export interface KnownNames {
  /** What the template saw. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Names of the functions that a Go template may call. */
  readonly functions: readonly string[];
}

const undefinedFunction = /function "([^"]+)" not defined/;
const undefinedSpiffFunction = /\*unknown function '([^']+)'/;
/** Go templates name the whole chain of fields, spiff the chain up to the missing one. */
const missingKey =
  /<\.([\w.]+)>: (?:nil pointer evaluating|map has no entry for key) |'([\w-]+(?:\.[\w-]+)*)' not found/;

/**
 * Explains a message about an unknown function or a missing key: the key's place, and the known name that is most like it. Quotes no other names: keys
 * may derive from secrets. Returns undefined for other messages.
 */
export function findMeantName(message: string, { bindings, functions }: KnownNames): string | undefined {
  const called = undefinedFunction.exec(message)?.[1];
  if (called !== undefined) return suggest(`function ${JSON.stringify(called)}`, called, functions);
  const spiffCalled = undefinedSpiffFunction.exec(message)?.[1];
  if (spiffCalled !== undefined) {
    return suggest(`function ${JSON.stringify(spiffCalled)}`, spiffCalled, [
      ...spiffFunctionNames,
      ...hostFunctionNames,
    ]);
  }
  const [, field, reference] = missingKey.exec(message) ?? [];
  const path = (field ?? reference ?? "").split(".");
  let value: unknown = bindings;
  for (const [index, key] of path.entries()) {
    if (!isRecord(value)) return undefined;
    if (!Object.hasOwn(value, key)) {
      const parent = index === 0 ? "the template's input" : path.slice(0, index).join(".");
      const problem = `${parent} has no key ${JSON.stringify(key)}`;
      // Go says only what the missing value was used for.
      return suggest(problem, key, Object.keys(value)) ?? (field === undefined ? undefined : problem);
    }
    value = value[key];
  }
  return undefined;
}

function suggest(problem: string, name: string, known: readonly string[]): string | undefined {
  const meant = suggestName(name, known);
  return meant === "" ? undefined : `${problem}${meant}`;
}
