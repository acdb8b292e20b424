import {
  FunctionError,
  type FunctionMap,
  type GoFunction,
  type Value,
  define,
  defineVariadic,
  fromPlain,
  isDeepEqual,
  isEmpty,
  kindName,
  shallow,
  typeName,
} from "@landscaper/golang";
import { fromGoJson, JsonError, toGoJson } from "@landscaper/goyaml";

function writeJson(value: Value, options: { indent?: string; escapeHtml?: boolean }): string {
  try {
    return toGoJson(value, options);
  } catch (error) {
    if (error instanceof RangeError) throw new FunctionError(error.message);
    throw error;
  }
}

function jsonFunctions(options: { indent?: string; escapeHtml?: boolean }): { lenient: GoFunction; must: GoFunction } {
  const must = define(["any"], ([value]) => writeJson(value, options));
  const lenient = define(["any"], ([value]) => {
    try {
      return writeJson(value, options);
    } catch (error) {
      if (error instanceof FunctionError) return "";
      throw error;
    }
  });
  return { lenient, must };
}

function readJson(text: string): Value {
  try {
    return fromPlain(fromGoJson(text));
  } catch (error) {
    if (error instanceof JsonError) throw new FunctionError(error.message);
    throw error;
  }
}

function readJsonOrNil(text: string): Value {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof FunctionError) return null;
    throw error;
  }
}

const compactJson = jsonFunctions({});
const prettyJson = jsonFunctions({ indent: "  " });
const rawJson = jsonFunctions({ escapeHtml: false });

/** Defaults, JSON, types and flow. */
export const defaultFunctions: FunctionMap = {
  default: shallow(defineVariadic(["any"], "any", ([fallback], [given]) => (isEmpty(given) ? fallback : given))),
  empty: shallow(define(["any"], ([value]) => isEmpty(value))),
  coalesce: shallow(defineVariadic([], "any", (_, values) => values.find((value) => !isEmpty(value)) ?? null)),
  all: shallow(defineVariadic([], "any", (_, values) => values.every((value) => !isEmpty(value)))),
  any: shallow(defineVariadic([], "any", (_, values) => values.some((value) => !isEmpty(value)))),
  ternary: shallow(define(["any", "any", "bool"], ([yes, no, condition]) => (condition ? yes : no))),
  fail: define(["string"], ([message]) => {
    throw new FunctionError(message);
  }),
  toJson: compactJson.lenient,
  mustToJson: compactJson.must,
  toPrettyJson: prettyJson.lenient,
  mustToPrettyJson: prettyJson.must,
  toRawJson: rawJson.must,
  mustToRawJson: rawJson.must,
  fromJson: define(["string"], ([text]) => readJsonOrNil(text)),
  mustFromJson: define(["string"], ([text]) => readJson(text)),
  typeOf: shallow(define(["any"], ([value]) => typeName(value))),
  typeIs: shallow(define(["string", "any"], ([type, value]) => typeName(value) === type)),
  typeIsLike: shallow(
    define(["string", "any"], ([type, value]) => typeName(value) === type || typeName(value) === `*${type}`),
  ),
  kindOf: shallow(define(["any"], ([value]) => kindName(value))),
  kindIs: shallow(define(["string", "any"], ([kind, value]) => kindName(value) === kind)),
  deepEqual: shallow(define(["any", "any"], ([a, b], context) => isDeepEqual(a, b, context))),
};
