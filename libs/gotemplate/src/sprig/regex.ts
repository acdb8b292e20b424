import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  GoRegExp,
  type GoSlice,
  type RegExpMatch,
  RegExpSyntaxError,
  type Value,
  canBackquote,
  define,
  quote,
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

function replaceAll(re: GoRegExp, text: string, expand: (match: RegExpMatch) => string): string {
  let result = "";
  let end = 0;
  for (const match of re.findAll(text)) {
    result += text.slice(end, match.start) + expand(match);
    end = match.end;
  }
  return result + text.slice(end);
}

/** Regexp.Expand: $1, ${1}, $name, ${name} and $$; "$1x" is the group called 1x. */
function expandTemplate(template: string, match: RegExpMatch, re: GoRegExp): string {
  if (!template.includes("$")) return template;
  return template.replace(
    /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu,
    (whole, braced?: string, bare?: string) => {
      if (whole === "$$") return "$";
      const name = braced ?? bare ?? "";
      const number = /^[0-9]+$/.test(name) ? Number(name) : re.groupNumber(name);
      return number === undefined ? "" : (match.groups[number] ?? "");
    },
  );
}

/** Regexp.Split: at most `limit` parts; negative: all. */
function splitText(re: GoRegExp, text: string, limit: number): Value {
  if (limit === 0) return nilStrings();
  if (text === "") return strings([""]);
  const parts: string[] = [];
  let start = 0;
  let end = 0;
  for (const match of re.findAll(text, limit)) {
    if (limit > 0 && parts.length === limit - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(text.slice(start, end));
    start = match.end;
  }
  if (end !== text.length) parts.push(text.slice(start));
  return strings(parts);
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
      return replaceAll(re, text, (match) => expandTemplate(template, match, re));
    }),
    replaceLiteral: define(["string", "string", "string"], ([pattern, text, replacement], context) =>
      replaceAll(compile({ pattern, text, context }, mode), text, () => replacement),
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
