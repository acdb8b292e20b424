/** Finds the end of the condition that starts at `start`: the index of its `)`. A string says what is wrong. */
export function scanFilter(text: string, start: number): { readonly end: number } | string {
  let quote: string | undefined;
  let isQuoteClosed = false;
  for (let position = start; position < text.length && text[position] !== "\n"; position += 1) {
    const character = text[position];
    if (character === '"' || character === "'") {
      if (quote === undefined) {
        quote = character;
      } else if (character === quote && text[position - 1] !== "\\") {
        isQuoteClosed = true;
      }
    } else if (character === ")" && (quote === undefined || isQuoteClosed)) {
      return text[position + 1] === "]" ? { end: position } : "unclosed array expect ]";
    }
  }
  return "unterminated filter";
}

/** Splits `left operator right`; `undefined` when there is no operator: the condition asks for existence. */
export function splitComparison(condition: string): { left: string; operator: string; right: string } | undefined {
  const operatorStart = condition.search(/[!<>=]/);
  const operator = /^[!<>=]*/.exec(condition.slice(Math.max(operatorStart, 0)))?.[0] ?? "";
  const right = condition.slice(operatorStart + operator.length);
  return operatorStart > 0 && right !== "" ? { left: condition.slice(0, operatorStart), operator, right } : undefined;
}
