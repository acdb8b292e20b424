type Verdict = "found" | "pass" | "skip" | "stop";

/**
 * Looks ahead from behind an opening bracket to where it closes, past strings and nested brackets: the position that
 * `judge` finds, or undefined. "skip" passes the next character too. Linear, so that the parser needs no second try.
 */
export function findOnLevel(
  text: string,
  start: number,
  judge: (char: string, next: string) => Verdict,
): number | undefined {
  let level = 0;
  for (let i = start; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') i = endOfString(text, i);
    else if (char === "(" || char === "[" || char === "{") level++;
    else if (char === ")" || char === "]" || char === "}") {
      if (--level < 0) return undefined;
    } else if (level === 0) {
      const verdict = judge(char, text.charAt(i + 1));
      if (verdict === "found") return i;
      if (verdict === "stop") return undefined;
      if (verdict === "skip") i++;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text.charAt(i) === "\\") i++;
    else if (text.charAt(i) === '"') return i;
  }
  return text.length;
}
