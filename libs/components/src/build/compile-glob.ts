import { quoteText } from "@landscaper/api";
import { componentError } from "../component-error.ts";
import { expandBraces } from "./expand-braces.ts";
import { parseGlob, type Segment, type Token } from "./parse-glob.ts";

/**
 * Tests a path with slashes and without `.` and `..`. The number of steps is at most the length of the path times the length of the pattern, with its braces expanded.
 */
export type GlobMatcher = (path: string) => boolean;

const maxLength = 1024;
const maxAlternatives = 100;

/**
 * Compiles a pattern of `includeFiles` and `excludeFiles` (docs/reference/components.md#patterns-of-files). `where` names the pattern in messages. Throws LandscaperError for
 * unsupported forms, and for a pattern or alternative that never matches.
 */
export function compileGlob(pattern: string, where: string): GlobMatcher {
  const refuse = (problem: string): Error =>
    componentError("InvalidComponent", `${where}: pattern ${quoteText(pattern)}: ${problem}`);
  if (pattern.length > maxLength) throw refuse(`expected at most ${maxLength} characters, found ${pattern.length}`);
  const [unknown] = /\\|[!@+*?]\(|\{[^{},]*\.\.[^{},]*\}|\[\[:/.exec(pattern) ?? [];
  if (unknown !== undefined) {
    throw refuse(
      `${quoteText(unknown)} is not supported. Use *, **, ?, [a-z], [!a] or {one,other}; [*] is a literal star`,
    );
  }
  const alternatives = expandBraces(pattern, maxAlternatives);
  if (alternatives === undefined) {
    throw refuse(`expected at most ${maxAlternatives} alternatives in braces. Use several patterns`);
  }
  const compiled = alternatives.map((alternative) =>
    parseGlob(alternative, (problem) => {
      const subject =
        alternative === pattern ? "never matches" : `its alternative ${quoteText(alternative)} never matches`;
      return refuse(`${subject}: ${problem}`);
    }),
  );
  return (path) => {
    const names = path.split("/");
    return compiled.some((segments) => matchSegments(segments, names));
  };
}

/** Whether the names match all segments. `reached` holds the positions in `segments` up to which the names so far match. */
function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  const skipGlobstars = (reached: ReadonlySet<number>): Set<number> => {
    const all = new Set(reached);
    // The loop also visits the positions that it adds. A globstar at the end stands for at least one name.
    for (const at of all) if (segments[at] === "globstar" && at < segments.length - 1) all.add(at + 1);
    return all;
  };
  let reached = skipGlobstars(new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    for (const at of reached) {
      const segment = segments[at];
      if (segment === undefined) continue;
      if (segment !== "globstar") {
        if (matchSegment(segment, name)) next.add(at + 1);
      } else if (!name.startsWith(".")) {
        next.add(at).add(at + 1);
      }
    }
    reached = skipGlobstars(next);
  }
  return reached.has(segments.length);
}

/**
 * Whether a name matches. A dot at the beginning of a name matches only a literal dot. After a mismatch, only the last star takes one more character. Backtracking to earlier
 * stars is unnecessary: the last star can take whatever they leave.
 */
function matchSegment(tokens: readonly Token[], name: string): boolean {
  if (name.startsWith(".") && tokens[0]?.kind !== "literal") return false;
  const characters = Array.from(name);
  let [token, at] = [0, 0];
  let retry: { readonly token: number; at: number } | undefined;
  while (at < characters.length) {
    const found = tokens[token];
    if (found?.kind === "star") {
      token += 1;
      retry = { token, at };
    } else if (found !== undefined && accepts(found, characters[at] ?? "")) {
      token += 1;
      at += 1;
    } else if (retry !== undefined) {
      retry.at += 1;
      token = retry.token;
      at = retry.at;
    } else return false;
  }
  while (tokens[token]?.kind === "star") token += 1;
  return token === tokens.length;
}

function accepts(token: Exclude<Token, { readonly kind: "star" }>, character: string): boolean {
  switch (token.kind) {
    case "any":
      return true;
    case "literal":
      return token.character === character;
    case "class":
      return token.matches(character);
  }
}
