/**
 * Functions of the expression language whose implementation in cel-js differs from that of Kubernetes. cel-js does not let them be
 * replaced, so that expressions are rewritten to call ours, whose names have the same length to keep positions.
 */
const replacements: ReadonlyMap<string, string> = new Map([
  // cel-js only takes chains of field names.
  ["has", "hAS"],
  // cel-js uses backtracking regular expressions.
  ["matches", "mATCHES"],
  // cel-js also changes letters beyond ASCII.
  ["lowerAscii", "lOWERaSCII"],
  ["upperAscii", "uPPERaSCII"],
]);

/** Strings (raw ones first), comments, and identifiers with what stands before and behind them. */
const tokens = new RegExp(
  [
    String.raw`[rR][bB]?(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')`,
    String.raw`[bB][rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')`,
    String.raw`"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`,
    String.raw`//[^\n]*`,
    String.raw`(?<dot>\.\s*)?\b(?<name>[A-Za-z_]\w*)(?=(?<call>\s*\()?)`,
  ].join("|"),
  "g",
);

/** Makes an expression call our implementations. */
export function useLibraryNames(expression: string): string {
  return expression.replaceAll(tokens, (token: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { dot?: string; name?: string; call?: string }; // the last argument is the groups
    const { dot, name, call } = groups;
    const replacement = name === undefined || call === undefined ? undefined : replacements.get(name);
    const isMacro = name === "has";
    return replacement === undefined || isMacro === (dot !== undefined) ? token : `${dot ?? ""}${replacement}`;
  });
}

/** Gives the names in a message of cel-js back. */
export function restoreNames(message: string): string {
  return [...replacements].reduce((text, [name, replacement]) => text.replaceAll(replacement, name), message);
}

/** The name under which our implementation of a function is registered. */
export function libraryName(name: string): string {
  return replacements.get(name) ?? name;
}

/** Whether an expression reads a variable. */
export function mentionsVariable(expression: string, variable: string): boolean {
  return [...expression.matchAll(tokens)].some(
    ({ groups }) => groups?.["name"] === variable && groups["dot"] === undefined,
  );
}
