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
  if (limit === 0) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const match of re.matches(text, limit)) {
    pieces.push(text.slice(end, match.start), replacementOf(match));
    end = match.end;
  }
  pieces.push(text.slice(end));
  return pieces.join("");
}

/** Regexp.Split: at most `limit` parts, all for a negative limit, none for 0. */
export function splitByMatches(re: GoRegExp, text: string, limit: number): string[] {
  if (limit === 0) return [];
  if (text === "" && re.pattern !== "") return [""];
  const parts: string[] = [];
  let start = 0;
  let end = 0;
  for (const match of re.matches(text, limit)) {
    if (limit > 0 && parts.length === limit - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(text.slice(start, end));
    start = match.end;
  }
  if (end !== text.length) parts.push(text.slice(start));
  return parts;
}
