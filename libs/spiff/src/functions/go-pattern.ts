import { RE2JS } from "re2js";
import { failLocally, quoting } from "../evaluate/failure.ts";

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match, then the groups; an absent group is empty. */
  readonly groups: readonly string[];
  readonly names: ReadonlyMap<string, number>;
}

/** A regular expression with the syntax of RE2: linear time, no look-around. */
export function compilePattern(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    return failLocally(quoting`invalid regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** At most `limit` matches; all for a negative one. */
export function findMatches(pattern: RE2JS, text: string, limit: number): Match[] {
  const matcher = pattern.matcher(text);
  const names = new Map(Object.entries(pattern.namedGroups()));
  const matches: Match[] = [];
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit;
  while (matches.length < most && matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? "");
    matches.push({ start: matcher.start(), end: matcher.end(), groups, names });
  }
  return matches;
}

/** Go's regexp.Split. */
export function splitByPattern(pattern: RE2JS, text: string, limit: number): string[] {
  if (limit === 0) return [];
  if (pattern.pattern() !== "" && text === "") return [""];
  const parts: string[] = [];
  let start = 0;
  let end = 0;
  for (const found of findMatches(pattern, text, -1)) {
    if (limit > 0 && parts.length === limit - 1) break;
    end = found.start;
    if (found.end !== 0) parts.push(text.slice(start, end));
    start = found.end;
  }
  if (end !== text.length) parts.push(text.slice(start));
  return parts;
}

/** Go's expansion: $1, ${1}, $name, ${name}, $$. */
export function expandReplacement(template: string, { groups, names }: Match): string {
  return template.replaceAll(
    /\$(?:\$|\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/g,
    (whole, braced?: string, bare?: string) => {
      if (whole === "$$") return "$";
      const name = braced ?? bare ?? "";
      const index = /^[0-9]+$/.test(name) ? Number(name) : names.get(name);
      return index === undefined ? "" : (groups[index] ?? "");
    },
  );
}
