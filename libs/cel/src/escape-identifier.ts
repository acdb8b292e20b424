const reserved: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/**
 * The name by which an expression reaches a field, e.g. `__namespace__` or `x__dash__y`; undefined when no expression can. Models
 * apiserver/pkg/cel/escaping.go.
 */
export function escapeIdentifier(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) {
    return undefined;
  }
  return reserved.has(name) ? `__${name}__` : name.replaceAll(/__|[-./]/g, (part) => escapes[part] ?? part);
}

/** Whether expressions can use a name for a variable. */
export function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z]\w*$/.test(name) && !reserved.has(name);
}
