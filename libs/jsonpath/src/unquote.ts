const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

const escapePattern = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|(.))/gsu;

/**
 * The content of a quoted string with Go's escape sequences resolved; `undefined` when one is wrong.
 * Models client-go/util/jsonpath/parser.go UnquoteExtend.
 */
export function unquote(quoted: string): string | undefined {
  const quote = quoted[0];
  const content = quoted.slice(1, -1);
  let isValid = true;
  const text = content.replaceAll(escapePattern, (...match: (string | undefined)[]) => {
    const [, byte, short, long, octal, simple = ""] = match;
    if (octal !== undefined) {
      return String.fromCodePoint(Number.parseInt(octal, 8));
    }
    const hex = byte ?? short ?? long;
    if (hex !== undefined) {
      const codePoint = Number.parseInt(hex, 16);
      isValid &&= codePoint <= 0x10_ff_ff;
      return isValid ? String.fromCodePoint(codePoint) : "";
    }
    const resolved = simple === quote ? quote : simpleEscapes[simple];
    isValid &&= resolved !== undefined;
    return resolved ?? "";
  });
  return isValid ? text : undefined;
}
