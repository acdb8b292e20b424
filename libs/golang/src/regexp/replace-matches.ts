import type { GoRegExp, RegExpMatch } from "./go-regexp.ts";

/** Regexp.Expand: $1, ${1}, $name, ${name} and $$; "$1x" is the group called 1x. */
export function expandTemplate(template: string, match: RegExpMatch, re: GoRegExp): string {
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

/** The text with the matches replaced; at most `limit` of them unless it is negative. */
export function replaceMatches(
  { re, text, limit = -1 }: { readonly re: GoRegExp; readonly text: string; readonly limit?: number },
  replacementOf: (match: RegExpMatch) => string,
): string {
  let result = "";
  let end = 0;
  for (const match of limit === 0 ? [] : re.matches(text, limit)) {
    result += text.slice(end, match.start) + replacementOf(match);
    end = match.end;
  }
  return result + text.slice(end);
}

/** Regexp.Split: at most `limit` parts, all for a negative limit, none for 0; each when it is asked for. */
export function* splitByMatches(re: GoRegExp, text: string, limit: number): Generator<string> {
  if (limit === 0) return;
  if (text === "" && re.pattern !== "") {
    yield "";
    return;
  }
  let count = 0;
  let start = 0;
  let end = 0;
  for (const match of re.matches(text, limit)) {
    if (limit > 0 && count === limit - 1) break;
    end = match.start;
    if (match.end !== 0) {
      count++;
      yield text.slice(start, end);
    }
    start = match.end;
  }
  if (end !== text.length) yield text.slice(start);
}
