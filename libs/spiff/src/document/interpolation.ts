/** Text with embedded expressions, as one expression; or text without an expression. */
export type Interpolated = { readonly expression: string } | { readonly text: string };

/**
 * Converts `text (( E )) text` to the concatenation `"text " E " text"`, with E as written. Of more than two opening brackets, the last two open the
 * expression. `((! x ))` is text with one mark less. An expression that does not close makes the rest of the text literal.
 */
export function interpolate(text: string): Interpolated {
  const parts: Part[] = [];
  let literal = "";
  let position = 0;
  const flush = (): void => {
    if (literal !== "") parts.push({ source: JSON.stringify(literal), isLiteral: true });
    literal = "";
  };
  for (let start = findOpening(text, 0); start >= 0; start = findOpening(text, position)) {
    const end = endOfExpression(text, start + 2);
    if (end === undefined) break;
    literal += text.slice(position, start);
    if (text.charAt(start + 2) === "!") literal += `((${text.slice(start + 3, end + 2)}`;
    else {
      flush();
      parts.push({ source: text.slice(start + 2, end).trim(), isLiteral: false });
    }
    position = end + 2;
  }
  const isText = parts.length === 0;
  literal += text.slice(position);
  if (isText) return { text: literal };
  flush();
  if (isEmptyBeforeText(parts)) return { text };
  return { expression: ` ${parts.map(({ source }) => source).join(" ")} ` };
}

interface Part {
  /** Expression, or a string literal of the language. */
  readonly source: string;
  readonly isLiteral: boolean;
}

/** The original keeps a text that is nothing but `(( ))` and what follows: `(( )) b`, but not `a (( ))` or `(( )) b (( )) c`. */
function isEmptyBeforeText(parts: readonly Part[]): boolean {
  const filled = parts.filter(({ source }) => source !== "");
  return filled.length === 1 && filled[0]?.isLiteral === true && parts[0]?.source === "";
}

/** Index of the two brackets that open the next expression; negative if there is none. */
function findOpening(text: string, position: number): number {
  let start = text.indexOf("((", position);
  while (start >= 0 && text.charAt(start + 2) === "(") start++;
  return start;
}

/** Index of the `))` at the end of an expression; undefined if it does not close. Its first character never closes it, opens a string, or is a bracket. */
function endOfExpression(text: string, start: number): number | undefined {
  let level = 0;
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') {
      const end = endOfString(text, i);
      if (end === undefined) return undefined;
      i = end;
    } else if (char === "(") level++;
    else if (char === ")" && level > 0) level--;
    else if (text.startsWith("))", i)) return i;
  }
  return undefined;
}

function endOfString(text: string, start: number): number | undefined {
  for (let i = start + 1; i < text.length; i++) {
    if (text.charAt(i) === "\\") i++;
    else if (text.charAt(i) === '"') return i;
  }
  return undefined;
}
