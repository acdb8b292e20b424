import {
  type FunctionMap,
  costly,
  define,
  defineVariadic,
  int,
  isTrue,
  shallow,
  sprint,
  sprintf,
  sprintln,
} from "@landscaper/golang";
import { callFunction } from "./call.ts";
import { isEqualToAny, isLess, isLessOrEqual } from "./comparison.ts";
import { escapeHtml, escapeJs, escapeUrlQuery } from "./escape.ts";
import { indexValue, lengthOf, sliceValue } from "./indexing.ts";

/** Every other character may be a directive. */
const unitsPerFormatCharacter = 32;

/** The functions of text/template. `and` and `or` are evaluated by the executor; here are only their parameters. */
export const builtins: FunctionMap = {
  and: defineVariadic(["value"], "value", ([first]) => first),
  or: defineVariadic(["value"], "value", ([first]) => first),
  not: shallow(define(["value"], ([value]) => !isTrue(value))),
  call: shallow(
    defineVariadic(["value"], "value", ([name], [fn, ...args], context) =>
      callFunction(typeof name === "string" ? name : "", { fn, args }, context),
    ),
  ),
  eq: defineVariadic(["value"], "value", ([first], rest) => isEqualToAny(first, rest)),
  ne: define(["value", "value"], ([a, b]) => !isEqualToAny(a, [b])),
  lt: shallow(define(["value", "value"], ([a, b]) => isLess(a, b))),
  le: shallow(define(["value", "value"], ([a, b]) => isLessOrEqual(a, b))),
  gt: shallow(define(["value", "value"], ([a, b]) => !isLessOrEqual(a, b))),
  ge: shallow(define(["value", "value"], ([a, b]) => !isLess(a, b))),
  index: shallow(defineVariadic(["value"], "value", ([item], indexes) => indexValue(item, indexes))),
  slice: defineVariadic(["value"], "value", ([item], indexes) => sliceValue(item, indexes)),
  len: shallow(define(["value"], ([value]) => int(lengthOf(value)))),
  print: defineVariadic([], "any", (_, args) => sprint(args)),
  printf: defineVariadic(["string"], "any", ([format], args, context) => {
    if (format.length > 256) context.charge(format.length * unitsPerFormatCharacter);
    return sprintf(format, args, (length) => context.checkSize(length));
  }),
  println: defineVariadic([], "any", (_, args) => sprintln(args)),
  html: costly(
    4,
    defineVariadic([], "any", (_, args) => escapeHtml(textOf(args))),
  ),
  js: costly(
    8,
    defineVariadic([], "any", (_, args) => escapeJs(textOf(args))),
  ),
  urlquery: costly(
    8,
    defineVariadic([], "any", (_, args) => escapeUrlQuery(textOf(args))),
  ),
};

/** The arguments of an escaper as one text. */
function textOf(args: Parameters<typeof sprint>[0]): string {
  const [first] = args;
  if (args.length === 1 && typeof first === "string") return first;
  return sprint(args.map((arg) => (arg === null || arg === undefined ? "<no value>" : arg)));
}

/** Names of the functions that every template may call. */
export const builtinNames: readonly string[] = Object.keys(builtins);
