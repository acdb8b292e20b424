import {
  type CallContext,
  type FunctionMap,
  type GoSlice,
  type Value,
  FunctionError,
  GoRegExp,
  RegExpSyntaxError,
  canBackquote,
  define,
  expandTemplate,
  quote,
  replaceMatches,
  splitByMatches,
  strings,
  withType,
} from "@landscaper/golang";

/** How a bad pattern is reported: as an error of Compile, or as the panic of MustCompile. */
type Mode = "must" | "panic";

/** A pattern for use on the text; the context is charged for that. */
interface Use {
  readonly pattern: string;
  readonly text: string;
  readonly context: CallContext;
}

function compileFor({ pattern, text, context }: Use): GoRegExp {
  context.spend(pattern.length * 4);
  const re = GoRegExp.compile(pattern);
  context.spend((re.size * (text.length + 16)) / 64);
  return re;
}

function compile(use: Use, mode: Mode): GoRegExp {
  const { pattern } = use;
  try {
    return compileFor(use);
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    if (mode === "must") throw new FunctionError(error.message);
    const shown = canBackquote(pattern) ? `\`${pattern}\`` : quote(pattern);
    throw new FunctionError(`regexp: Compile(${shown}): ${error.message}`);
  }
}

function nilStrings(): GoSlice {
  const slice: GoSlice = [];
  return withType(slice, { name: "[]string", element: "string", isNil: true });
}

function findAll(re: GoRegExp, text: string, limit: number): Value {
  const found = limit === 0 ? [] : re.findAll(text, limit);
  return found.length === 0 ? nilStrings() : strings(found.map(({ groups }) => groups[0] ?? ""));
}

function splitText(re: GoRegExp, text: string, limit: number): Value {
  return limit === 0 ? nilStrings() : strings([...splitByMatches(re, text, limit)]);
}

function regexFunctions(
  mode: Mode,
): Record<"find" | "findAll" | "replaceAll" | "replaceLiteral" | "split", FunctionMap[string]> {
  return {
    find: define(
      ["string", "string"],
      ([pattern, text], context) => compile({ pattern, text, context }, mode).findAll(text, 1)[0]?.groups[0] ?? "",
    ),
    findAll: define(["string", "string", "int"], ([pattern, text, limit], context) =>
      findAll(compile({ pattern, text, context }, mode), text, limit.toNumber()),
    ),
    replaceAll: define(["string", "string", "string"], ([pattern, text, template], context) => {
      const re = compile({ pattern, text, context }, mode);
      return replaceMatches({ re, text }, (match) => expandTemplate(template, match, re));
    }),
    replaceLiteral: define(["string", "string", "string"], ([pattern, text, replacement], context) =>
      replaceMatches({ re: compile({ pattern, text, context }, mode), text }, () => replacement),
    ),
    split: define(["string", "string", "int"], ([pattern, text, limit], context) =>
      splitText(compile({ pattern, text, context }, mode), text, limit.toNumber()),
    ),
  };
}

function matches(use: Use): boolean {
  try {
    return compileFor(use).test(use.text);
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return false;
    throw error;
  }
}

const lenient = regexFunctions("panic");
const must = regexFunctions("must");

export const regexSprigFunctions: FunctionMap = {
  regexMatch: define(["string", "string"], ([pattern, text], context) => matches({ pattern, text, context })),
  mustRegexMatch: define(["string", "string"], ([pattern, text], context) =>
    compile({ pattern, text, context }, "must").test(text),
  ),
  regexFind: lenient.find,
  mustRegexFind: must.find,
  regexFindAll: lenient.findAll,
  mustRegexFindAll: must.findAll,
  regexReplaceAll: lenient.replaceAll,
  mustRegexReplaceAll: must.replaceAll,
  regexReplaceAllLiteral: lenient.replaceLiteral,
  mustRegexReplaceAllLiteral: must.replaceLiteral,
  regexSplit: lenient.split,
  mustRegexSplit: must.split,
  regexQuoteMeta: define(["string"], ([text]) => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
};
