import { componentError } from "../component-error.ts";

/** Tests a path with slashes and without `.` and `..`. Time: at most the product of the lengths of path and pattern. */
export type GlobMatcher = (path: string) => boolean;

const maxLength = 1024;
const maxAlternatives = 100;

type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "one"; readonly matches: (character: string) => boolean };
type Segment = "globstar" | readonly Token[];

/**
 * Compiles a pattern of `includeFiles` and `excludeFiles`: `*` and `?` stop at slashes, `**` does not, `[a-z]`, `[!a]`, `{one,other}`. Names that begin with a dot need
 * a pattern that does. `where` names the pattern in messages. Throws LandscaperError for forms that it does not know.
 */
export function compileGlob(pattern: string, where: string): GlobMatcher {
  const refuse = (problem: string): Error =>
    componentError("InvalidComponent", `${where}: pattern ${JSON.stringify(pattern.slice(0, maxLength))}: ${problem}`);
  if (pattern.length > maxLength) throw refuse(`expected at most ${maxLength} characters, found ${pattern.length}`);
  const [unknown] = /\\|[!@+*?]\(|\{[^{},]*\.\.[^{},]*\}|\[\[:/.exec(pattern) ?? [];
  if (unknown !== undefined) {
    throw refuse(
      `${JSON.stringify(unknown)} is not supported. Use *, **, ?, [a-z], [!a] or {one,other}; [*] is a literal star`,
    );
  }
  const alternatives = expandBraces(pattern);
  if (alternatives.length > maxAlternatives) {
    throw refuse(`expected at most ${maxAlternatives} alternatives in braces. Use several patterns`);
  }
  const compiled = alternatives.map(parseSegments);
  return (path) => {
    const names = path.split("/");
    return compiled.some((segments) => matchSegments(segments, names));
  };
}

/** Returns the alternatives, or more than the maximum if there are too many. Braces without a comma are literal. */
function expandBraces(pattern: string): readonly string[] {
  let done: readonly string[] = [""];
  let at = 0;
  while (at < pattern.length) {
    const parts = pattern[at] === "{" ? alternativesAt(pattern, at) : undefined;
    const end = parts === undefined ? at + 1 : parts.end;
    const texts = parts === undefined ? [pattern.charAt(at)] : parts.texts.flatMap(expandBraces);
    done = done.flatMap((begin) => texts.map((text) => begin + text));
    if (done.length > maxAlternatives) return done;
    at = end;
  }
  return done;
}

interface Alternatives {
  readonly texts: readonly string[];
  /** Offset behind the closing brace. */
  readonly end: number;
}

function alternativesAt(pattern: string, start: number): Alternatives | undefined {
  const texts: string[] = [];
  let depth = 0;
  let begin = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "{") depth += 1;
    if (character === "," && depth === 1) {
      texts.push(pattern.slice(begin, at));
      begin = at + 1;
    }
    if (character !== "}") continue;
    depth -= 1;
    if (depth > 0) continue;
    return texts.length === 0 ? undefined : { texts: [...texts, pattern.slice(begin, at)], end: at + 1 };
  }
  return undefined;
}

function parseSegments(pattern: string): readonly Segment[] {
  return pattern.split(/\/+/).map((text) => (text === "**" ? "globstar" : parseSegment(text)));
}

function parseSegment(text: string): readonly Token[] {
  const characters = Array.from(text);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const end = character === "[" ? classEnd(characters, at) : undefined;
    if (end !== undefined) {
      tokens.push({ kind: "one", matches: parseClass(characters.slice(at + 1, end)) });
      at = end;
    } else if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") tokens.push({ kind: "any" });
    else tokens.push({ kind: "one", matches: (found) => found === character });
  }
  return tokens;
}

/** A bracket at the begin of a class is one of its characters. Returns undefined for a bracket that nothing closes. */
function classEnd(characters: readonly string[], start: number): number | undefined {
  const isNegated = ["!", "^"].includes(characters[start + 1] ?? "");
  const end = characters.indexOf("]", start + (isNegated ? 3 : 2));
  return end < 0 ? undefined : end;
}

function parseClass(characters: readonly string[]): (character: string) => boolean {
  const isNegated = characters[0] === "!" || characters[0] === "^";
  const members = isNegated ? characters.slice(1) : characters;
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at] ?? "";
    const to = members[at + 1] === "-" ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (found) =>
    ranges.some(([from, to]) => codeOf(from) <= codeOf(found) && codeOf(found) <= codeOf(to)) !== isNegated;
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** `reached` holds the numbers of segments that match the names so far. */
function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  const skipGlobstars = (reached: ReadonlySet<number>): Set<number> => {
    const all = new Set(reached);
    // A set visits what is added meanwhile. A globstar at the end stands for one name at least.
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
        next.add(at);
        if (at === segments.length - 1) next.add(at + 1);
      }
    }
    reached = skipGlobstars(next);
  }
  return reached.has(segments.length);
}

/** Only the last star is tried again: an earlier one could only take more of the name away from what follows. */
function matchSegment(tokens: readonly Token[], name: string): boolean {
  if (name.startsWith(".") && tokens[0]?.kind !== "one") return false;
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
  return token.kind === "any" || token.matches(character);
}
