import { trimSpace } from "@landscaper/golang";
import { isPathPattern, pathMatcher } from "../glob/match-path.ts";
import { ChartError } from "./chart-error.ts";

/** Whether a file or folder of a chart, named from the chart's folder, is to be left out. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

interface Rule {
  /** "!PATTERN": everything else is left out, as Helm reads it. */
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/** Hidden files of templates/ are left out without being named. */
const defaultRule = "templates/.?*";

/** The rules of a .helmignore. Throws ChartError with Helm's message. */
export function parseIgnoreRules(text: string): IsIgnored {
  const rules = [...text.replace(/^\ufeff/, "").split("\n"), defaultRule].flatMap(parseRule);
  return (path, isFolder) => {
    if (path === "" || path === "." || path === "./") return false;
    return rules.some((rule) => ignores(rule, path, isFolder));
  };
}

function ignores({ isNegated, foldersOnly, matches }: Rule, path: string, isFolder: boolean): boolean {
  if (foldersOnly && !isFolder) return isNegated;
  return matches(path) !== isNegated;
}

function parseRule(line: string): Rule[] {
  const rule = trimSpace(line);
  if (rule === "" || rule.startsWith("#")) return [];
  const fail = (problem: string): never => {
    throw new ChartError(problem, { file: ".helmignore" });
  };
  if (rule.includes("**")) return fail("double-star (**) syntax is not supported");
  if (!isPathPattern(rule)) return fail("syntax error in pattern");
  const isNegated = rule.startsWith("!");
  const whole = isNegated ? rule.slice(1) : rule;
  const foldersOnly = whole.endsWith("/");
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  return [{ isNegated, foldersOnly, matches: ruleMatcher(pattern) }];
}

/** Patterns with a slash are for whole paths, others for names in any folder. */
function ruleMatcher(pattern: string): Rule["matches"] {
  if (pattern.startsWith("/")) return pathMatcher(pattern.replace(/^\/+/, ""));
  if (pattern.includes("/")) return pathMatcher(pattern);
  const matches = pathMatcher(pattern);
  return (path) => matches(path.slice(path.lastIndexOf("/") + 1));
}
