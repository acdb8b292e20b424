/** Expands `{one,other}` to its alternatives. Unbalanced braces and braces without a comma are literal. Returns undefined if there are more than `most` alternatives. */
export function expandBraces(pattern: string, most: number): readonly string[] | undefined {
  let done: readonly string[] = [""];
  let at = 0;
  while (at < pattern.length) {
    const parts = pattern[at] === "{" ? alternativesAt(pattern, at) : undefined;
    const texts = parts === undefined ? [pattern.charAt(at)] : expandAll(parts.texts, most);
    // Must precede the product: its size grows exponentially with the number of braces.
    if (texts === undefined || done.length * texts.length > most) return undefined;
    done = done.flatMap((begin) => texts.map((text) => begin + text));
    at = parts === undefined ? at + 1 : parts.end;
  }
  return done;
}

function expandAll(patterns: readonly string[], most: number): readonly string[] | undefined {
  const all: string[] = [];
  for (const pattern of patterns) {
    const texts = expandBraces(pattern, most - all.length);
    if (texts === undefined) return undefined;
    all.push(...texts);
  }
  return all;
}

interface Alternatives {
  readonly texts: readonly string[];
  /** Offset after the closing brace. */
  readonly end: number;
}

/** Returns the alternatives of the braces that open at `start`; undefined for literal braces. */
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
