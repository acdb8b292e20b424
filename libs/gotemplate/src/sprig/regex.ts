import {
  type CallContext,
  type FunctionMap,
  type GoSlice,
  type RegExpMatch,
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

/** Compiled patterns take much more memory than their text. */
const unitsPerPatternCharacter = 256;
/** What a match counts, beside its text. */
const unitsPerMatch = 16;
const stepsPerMatch = 10;

function compileFor({ pattern, text, context }: Use): GoRegExp {
  context.charge(pattern.length * unitsPerPatternCharacter);
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

function findAll(re: GoRegExp, { text, context }: Use, limit: number): Value {
  if (limit === 0) return nilStrings();
  const found: string[] = [];
  for (const { groups } of re.matches(text, limit)) {
    found.push(groups[0] ?? "");
    context.spend(stepsPerMatch);
    context.checkSize(found.length * unitsPerMatch);
  }
  return found.length === 0 ? nilStrings() : strings(found);
}

function replaceAll(re: GoRegExp, { text, context }: Use, replacementOf: (match: RegExpMatch) => string): string {
  let size = 0;
  return replaceMatches({ re, text }, (match) => {
    context.spend(stepsPerMatch);
    const replacement = replacementOf(match);
    size += replacement.length + unitsPerMatch;
    context.checkSize(size);
    return replacement;
  });
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
    findAll: define(["string", "string", "int"], ([pattern, text, limit], context) => {
      const use = { pattern, text, context };
      return findAll(compile(use, mode), use, limit.toNumber());
    }),
    replaceAll: define(["string", "string", "string"], ([pattern, text, template], context) => {
      const use = { pattern, text, context };
      const re = compile(use, mode);
      return replaceAll(re, use, (match) => {
        context.spend(template.length);
        return expandTemplate(template, match, re);
      });
    }),
    replaceLiteral: define(["string", "string", "string"], ([pattern, text, replacement], context) => {
      const use = { pattern, text, context };
      return replaceAll(compile(use, mode), use, () => replacement);
    }),
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
