/** Text with embedded expressions, as one expression; or text, when nothing in it is one. */
export type Interpolated = { readonly expression: string } | { readonly text: string };

/**
 * `text (( E )) text` as the concatenation `"text " E " text"`: the words of E stand in it as they are.
 * `((! x ))` is text, with one mark less, as is what stands behind brackets that do not close.
 */
export function interpolate(text: string): Interpolated {
  const parts: string[] = [];
  let literal = "";
  let position = 0;
  const flush = (): void => {
    if (literal !== "") parts.push(JSON.stringify(literal));
    literal = "";
  };
  for (let start = text.indexOf("(("); start >= 0; start = text.indexOf("((", position)) {
    const end = endOfExpression(text, start + 2);
    if (end === undefined) break;
    literal += text.slice(position, start);
    if (text.charAt(start + 2) === "!") literal += `((${text.slice(start + 3, end + 2)}`;
    else {
      flush();
      parts.push(text.slice(start + 2, end).trim());
    }
    position = end + 2;
  }
  const isText = parts.length === 0;
  literal += text.slice(position);
  if (isText) return { text: literal };
  flush();
  return { expression: ` ${parts.join(" ")} ` };
}

/** Where the "))" of an expression stands, past strings and brackets. */
function endOfExpression(text: string, start: number): number | undefined {
  let level = 0;
  for (let i = start; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') {
      const end = endOfString(text, i);
      if (end === undefined) return undefined;
      i = end;
    } else if (char === "(") level++;
    else if (char === ")" && level > 0) level--;
    else if (char === ")") return text.charAt(i + 1) === ")" ? i : undefined;
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
