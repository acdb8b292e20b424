import {
  expandTemplate,
  GoRegExp,
  RegExpSyntaxError,
  replaceMatches,
  splitByMatches,
  type RegExpMatch,
} from "@landscaper/golang";
import type { Environment } from "../../evaluate/environment.ts";
import { EvaluationFailure, failLocally, known, quoting } from "../../evaluate/failure.ts";
import { callLambda } from "../../evaluate/calls/lambda.ts";
import { LambdaValue, type Value } from "../../value/value.ts";
import type { Arguments } from "../arguments.ts";
import { chargedList } from "../charge.ts";
import { defineFunctions } from "../define-functions.ts";

/** Functions that search text: as it is, or by regular expressions in Go's syntax. */
export const patternFunctions = defineFunctions({
  replace,
  replace_match: replaceMatch,
  split_match: splitMatch,
  match,
});

/** Instructions of compiled patterns that are run in a millisecond. */
export const instructionsPerMs = 20_000;

/** For one match, besides going through the text. */
const matchMs = 0.005;

/** Compiles a pattern, and pays for matching it once. */
function compile(
  args: Arguments,
  { pattern, text }: { pattern: string; text: string },
  { document }: Environment,
): GoRegExp {
  document.budget.charge(pattern.length * 4);
  try {
    const compiled = GoRegExp.compile(pattern);
    document.budget.spend((compiled.size * (text.length + 16)) / instructionsPerMs, args.name);
    return compiled;
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    return failLocally(quoting`${known(args.name)}: ${error.message}`);
  }
}

/** match(pattern, text) gives the first match with its groups, match(pattern, text, n) a list of n such lists. */
function match(args: Arguments, environment: Environment): Value {
  args.count(2, 3, "match takes two or three arguments");
  const pattern = args.text(0, "pattern string for argument one of function match required");
  const value = args.at(1);
  if (value === null) return false;
  const text = typeof value === "bigint" || typeof value === "boolean" ? String(value) : value;
  if (typeof text !== "string") return failLocally("simple value for argument two of function match required");
  const most = args.at(2);
  const limit =
    typeof most === "boolean"
      ? most
        ? -1n
        : 1n
      : args.optionalInteger(2, 1n, "third argument of function match must be an integer");
  if (limit === 0n) return failLocally("repetition count may not be zero");
  const found = compile(args, { pattern, text }, environment).matches(text, Number(limit));
  const matches = chargedList(groupsOfAll(found, environment), environment);
  return args.length > 2 ? matches : (matches.items[0]?.value ?? matches);
}

function* groupsOfAll(found: Iterable<RegExpMatch>, environment: Environment): Generator<Value> {
  for (const item of found) {
    environment.document.budget.spend(matchMs, "match");
    yield groupsOf(item, environment);
  }
}

function groupsOf({ groups }: RegExpMatch, environment: Environment): Value {
  return chargedList(
    groups.map((group) => group ?? ""),
    environment,
  );
}

function splitMatch(args: Arguments, environment: Environment): Value {
  args.count(2, 3, "split_match takes 2 or 3 arguments");
  const [pattern, text] = [args.text(0), args.text(1)];
  const limit = Number(args.optionalInteger(2, -1n));
  return chargedList(splitByMatches(compile(args, { pattern, text }, environment), text, limit), environment);
}

/** replace(text, what, by, n); `by` may be a lambda. */
function replace(args: Arguments, environment: Environment): Value {
  checkCount(args);
  const [text, what] = [args.text(0), args.text(1)];
  const limit = Number(args.optionalInteger(3, -1n));
  const substitute = substitution(args, environment);
  environment.document.budget.chargeEntries(what === "" ? text.length : 0);
  const characters = what === "" ? Array.from(text) : [];
  const parts = what === "" ? ["", ...characters, ...(text === "" ? [] : [""])] : text.split(what);
  if (what === "" && text === "") parts.push("");
  const count = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1);
  environment.document.budget.charge(text.length);
  let result = parts[0] ?? "";
  for (let index = 1; index < parts.length; index++) {
    result += (index <= count ? substitute({ start: 0, end: 0, groups: [what] }) : what) + (parts[index] ?? "");
  }
  return result;
}

function replaceMatch(args: Arguments, environment: Environment): Value {
  checkCount(args);
  const [text, pattern] = [args.text(0), args.text(1)];
  const limit = Number(args.optionalInteger(3, -1n));
  const re = compile(args, { pattern, text }, environment);
  return replaceMatches({ re, text, limit }, substitution(args, environment, re));
}

function checkCount(args: Arguments): void {
  args.count(3, Number.POSITIVE_INFINITY, `${args.name} requires at least 3 arguments`);
  args.count(3, 4, `${args.name} does not take more than 4 arguments`);
}

/** What comes in place of a match: text, with references to groups in case of a pattern, or what a lambda gives. */
function substitution(args: Arguments, environment: Environment, re?: GoRegExp): (match: RegExpMatch) => string {
  const value = args.at(2);
  const { budget } = environment.document;
  const substitute = (found: RegExpMatch): string => {
    if (typeof value === "string") return re === undefined ? value : expandTemplate(value, found, re);
    if (value instanceof LambdaValue) {
      return callForText({ lambda: value, name: args.name, match: found }, environment);
    }
    return failLocally(`${args.name}: replace substitution must be string or lambda`);
  };
  if (typeof value !== "string" && !(value instanceof LambdaValue)) {
    return failLocally(`${args.name}: replace substitution must be string or lambda`);
  }
  return (found) => {
    const text = substitute(found);
    budget.charge(text.length);
    budget.spend(matchMs, args.name);
    return text;
  };
}

interface TextCall {
  readonly lambda: LambdaValue;
  readonly name: string;
  readonly match: RegExpMatch;
}

/** The lambda gets a list of the match and its groups. */
function callForText({ lambda, name, match: found }: TextCall, environment: Environment): string {
  const prefix = known(`${name}: replace: `);
  try {
    const result = callLambda(lambda, { positional: [groupsOf(found, environment)], named: new Map() }, environment);
    if (typeof result === "string") return result;
    const needed = lambda.parameters.length;
    const isCurried = result instanceof LambdaValue && needed > 1;
    return failLocally(isCurried ? `expected ${needed} arguments, but found 1` : "lambda must return a string");
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    const { issue } = error.failure;
    return failLocally(quoting`${prefix}${issue}`, issue.nested);
  }
}
