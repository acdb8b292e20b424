import { GoRegExp } from "@landscaper/golang";

/**
 * Whether a path matches a pattern as Helm's `.Files.Glob` reads them: `*` and `?` stop at slashes, `**` does not, `[abc]`,
 * `[a-z]` and `[!...]` stand for one character, `{a,b}` for one of several patterns, `\` makes the next character ordinary.
 * A pattern that makes no sense matches everything.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const source = new GlobTranslator(pattern).translate();
  if (source === undefined) return () => true;
  // RE2: patterns come from templates, and must not take more than linear time.
  const regexp = GoRegExp.compile(`^(?s:${source})$`);
  return (path) => regexp.test(path);
}

class GlobTranslator {
  readonly #chars: readonly string[];
  #i = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#chars = Array.from(pattern);
  }

  /** The regular expression, or undefined for a pattern that makes no sense. */
  translate(): string | undefined {
    let source = "";
    while (this.#i < this.#chars.length) {
      const part = this.#part();
      if (part === undefined) return undefined;
      source += part;
    }
    // An open brace closes at the end.
    return source + ")".repeat(this.#depth);
  }

  #part(): string | undefined {
    const char = this.#chars[this.#i++] ?? "";
    switch (char) {
      case "*":
        return this.#stars();
      case "?":
        return "[^/]";
      case "[":
        return this.#class();
      case "{":
        this.#depth++;
        return "(?:";
      case "}":
        if (this.#depth === 0) return literal(char);
        this.#depth--;
        return ")";
      case ",":
        return this.#depth > 0 ? "|" : literal(char);
      case "\\":
        return literal(this.#chars[this.#i++] ?? "");
      default:
        return literal(char);
    }
  }

  #stars(): string {
    let count = 1;
    for (; this.#chars[this.#i] === "*"; this.#i++) count++;
    return count > 1 ? ".*" : "[^/]*";
  }

  /** One range, or a list of characters; nothing else. */
  #class(): string | undefined {
    const isNegated = this.#chars[this.#i] === "!";
    if (isNegated) this.#i++;
    const chars: { char: string; isEscaped: boolean }[] = [];
    for (;;) {
      const char = this.#chars[this.#i++];
      if (char === undefined) return undefined;
      if (char === "]") break;
      if (char === "\\") chars.push({ char: this.#chars[this.#i++] ?? "", isEscaped: true });
      else chars.push({ char, isEscaped: false });
    }
    const dash = chars.findIndex(({ char, isEscaped }) => char === "-" && !isEscaped);
    const set = dash < 0 ? listSource(chars) : rangeSource(chars, dash);
    return set === undefined ? undefined : `[${isNegated ? "^" : ""}${set}]`;
  }
}

function listSource(chars: readonly { char: string }[]): string | undefined {
  return chars.length === 0 ? undefined : chars.map(({ char }) => literal(char)).join("");
}

function rangeSource(chars: readonly { char: string }[], dash: number): string | undefined {
  const [low, , high] = chars;
  if (dash !== 1 || chars.length !== 3 || low === undefined || high === undefined) return undefined;
  if ((low.char.codePointAt(0) ?? 0) > (high.char.codePointAt(0) ?? 0)) return undefined;
  return `${literal(low.char)}-${literal(high.char)}`;
}

/** A character that stands for itself in a regular expression, in and out of classes. */
function literal(char: string): string {
  return /^[\p{L}\p{N}]$/u.test(char) || char === "" ? char : `\\x{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
