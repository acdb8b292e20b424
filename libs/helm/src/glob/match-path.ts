/**
 * Whether a path matches a pattern as Go's filepath.Match reads it: `*` and `?` stop at slashes, `[a-z]` and `[^a-z]` stand
 * for one character, `\` makes the next one ordinary. A pattern that makes no sense matches nothing.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const parts = readParts(Array.from(pattern));
  if (parts === undefined) return () => false;
  return (path) => matches(parts, Array.from(path));
}

/** "many" is a star; any other part stands for one character. */
type Part = "many" | ((char: string) => boolean);

function readParts(chars: readonly string[]): Part[] | undefined {
  const parts: Part[] = [];
  let at = 0;
  while (at < chars.length) {
    const char = chars[at] ?? "";
    at++;
    if (char === "*") parts.push("many");
    else if (char === "?") parts.push((found) => found !== "/");
    else if (char === "[") {
      const read = readClass(chars, at);
      if (read === undefined) return undefined;
      parts.push(read.part);
      at = read.end;
    } else {
      const literal = char === "\\" ? chars[at++] : char;
      if (literal === undefined) return undefined;
      parts.push((found) => found === literal);
    }
  }
  return parts;
}

/** A class of characters behind its "[". */
function readClass(chars: readonly string[], start: number): { part: Part; end: number } | undefined {
  const isNegated = chars[start] === "^";
  let at = isNegated ? start + 1 : start;
  const ranges: (readonly [number, number])[] = [];
  while (chars[at] !== "]" || ranges.length === 0) {
    const low = readBound(chars, at);
    if (low === undefined) return undefined;
    at = low.end;
    let high = low;
    if (chars[at] === "-") {
      const bound = readBound(chars, at + 1);
      if (bound === undefined) return undefined;
      high = bound;
      at = bound.end;
    }
    ranges.push([low.code, high.code]);
  }
  const part = (char: string): boolean => {
    const code = char.codePointAt(0) ?? 0;
    return ranges.some(([low, high]) => low <= code && code <= high) !== isNegated;
  };
  return { part, end: at + 1 };
}

function readBound(chars: readonly string[], at: number): { code: number; end: number } | undefined {
  const char = chars[at];
  if (char === undefined || char === "-" || char === "]") return undefined;
  const found = char === "\\" ? chars[at + 1] : char;
  // A class must go on behind each of its characters.
  const end = char === "\\" ? at + 2 : at + 1;
  if (found === undefined || end >= chars.length) return undefined;
  return { code: found.codePointAt(0) ?? 0, end };
}

/** Goes back to the last star only, so that the time is quadratic at most. */
function matches(parts: readonly Part[], chars: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let star: { part: number; at: number } | undefined;
  while (at < chars.length) {
    const wanted = parts[part];
    if (wanted === "many") {
      star = { part: part + 1, at };
      part++;
    } else if (wanted?.(chars[at] ?? "") === true) {
      part++;
      at++;
    } else if (star !== undefined && chars[star.at] !== "/") {
      star.at++;
      at = star.at;
      part = star.part;
    } else return false;
  }
  while (parts[part] === "many") part++;
  return part === parts.length;
}

/** Whether a pattern makes sense. */
export function isPathPattern(pattern: string): boolean {
  return readParts(Array.from(pattern)) !== undefined;
}
