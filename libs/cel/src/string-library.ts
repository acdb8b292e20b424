import type { Environment } from "@marcbachmann/cel-js";
import { EvaluationError } from "@marcbachmann/cel-js";
import type { RE2JS } from "re2js";
import { compilePattern } from "./compile-pattern.ts";
import { libraryName } from "./expression-tokens.ts";

/** The string and regular expression functions that Kubernetes adds to the expression language, as far as cel-js lacks them. */
export function registerStringLibrary(environment: Environment): void {
  environment
    .registerFunction(`string.${libraryName("lowerAscii")}(): string`, (text: string) =>
      text.replaceAll(/[A-Z]+/g, lower),
    )
    .registerFunction(`string.${libraryName("upperAscii")}(): string`, (text: string) =>
      text.replaceAll(/[a-z]+/g, upper),
    )
    .registerFunction("string.charAt(int): string", (text: string, index: bigint) => charAt(text, Number(index)))
    .registerFunction("string.replace(string, string): string", replace)
    .registerFunction("string.replace(string, string, int): string", replaceSome)
    .registerFunction("string.reverse(): string", (text: string) => Array.from(text).toReversed().join(""));
  registerRegexFunctions(environment);
}

function lower(text: string): string {
  return text.toLowerCase();
}

function upper(text: string): string {
  return text.toUpperCase();
}

function charAt(text: string, index: number): string {
  const characters = Array.from(text);
  if (index < 0 || index > characters.length) {
    throw new EvaluationError(`index out of range: ${index}`);
  }
  return characters[index] ?? "";
}

function replace(text: string, old: string, replacement: string): string {
  return text.split(old).join(replacement);
}

function replaceSome(text: string, ...[old, replacement, limit]: [string, string, bigint]): string {
  const parts = text.split(old);
  const count = limit < 0n ? parts.length : Math.min(Number(limit), parts.length - 1);
  return parts.reduce((result, part, index) => `${result}${index <= count ? replacement : old}${part}`);
}

function registerRegexFunctions(environment: Environment): void {
  environment
    .registerFunction(`string.${libraryName("matches")}(string): bool`, (text: string, pattern: string) =>
      compileRegex(pattern).matcher(text).find(),
    )
    .registerFunction(
      "string.find(string): string",
      (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? "",
    )
    .registerFunction("string.findAll(string): list<string>", (text: string, pattern: string) =>
      findAll(text, pattern, -1n),
    )
    .registerFunction("string.findAll(string, int): list<string>", findAll);
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const matcher = compileRegex(pattern).matcher(text);
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const found: string[] = [];
  while (found.length < most && matcher.find()) {
    found.push(matcher.group() ?? "");
  }
  return found;
}

function compileRegex(pattern: string): RE2JS {
  const compiled = compilePattern(pattern);
  if (typeof compiled === "string") {
    throw new EvaluationError(compiled);
  }
  return compiled;
}
