import type { Characters } from "../strings/characters.ts";
import { isBreak, isPrintable } from "../scalars/scalar-style.ts";

const indentWidth = 2;

const escapes: Readonly<Record<string, string>> = {
  "\0": "0",
  "\u0007": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\u001b": "e",
  '"': '"',
  "\\": "\\",
  "\u0085": "N",
  "\u00a0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

export interface WriterOptions {
  /** Lines are folded at the first space beyond this column. */
  readonly bestWidth: number;
  /** Whether all characters beyond ASCII are escaped. */
  readonly escapesUnicode: boolean;
  /** Whether every block scalar that ends with a line break says so. */
  readonly marksFinalBreaks: boolean;
}

/** Writes YAML tokens and keeps the column, as the emitter of go-yaml (libyaml) does. */
export class YamlWriter {
  readonly #bestWidth: number;
  readonly #options: WriterOptions;
  #output = "";
  #column = 0;
  #indent = -1;
  /** Whether the last character was white space, and whether only indentation stands on the line. */
  #whitespace = true;
  #indention = true;

  constructor(options: WriterOptions) {
    this.#bestWidth = options.bestWidth;
    this.#options = options;
  }

  get text(): string {
    return this.#output;
  }
  get isIndention(): boolean {
    return this.#indention;
  }

  /** Runs `write` one level deeper. `flow`: within a scalar or flow collection; `indentless`: a list under a key. */
  indented(kind: { flow: boolean; indentless: boolean }, write: () => void): void {
    const old = this.#indent;
    if (old < 0) this.#indent = kind.flow ? indentWidth : 0;
    else if (!kind.indentless) this.#indent += indentWidth;
    write();
    this.#indent = old;
  }

  writeIndent(): void {
    const indent = Math.max(this.#indent, 0);
    if (!this.#indention || this.#column > indent || (this.#column === indent && !this.#whitespace)) this.#putBreak();
    if (this.#column < indent) {
      this.#output += " ".repeat(indent - this.#column);
      this.#column = indent;
    }
    this.#whitespace = true;
    this.#indention = true;
  }

  writeIndicator(text: string, options: { space: boolean; isSpace?: boolean; isIndention?: boolean }): void {
    if (options.space && !this.#whitespace) this.#put(" ");
    this.#put(text);
    this.#whitespace = options.isSpace === true;
    this.#indention &&= options.isIndention === true;
  }

  writePlain(text: string, chars: Characters, allowFold: boolean): void {
    if (!this.#whitespace) this.#put(" ");
    if (!allowFold || this.#column + chars.length <= this.#bestWidth) this.#put(text, chars.length);
    else {
      this.#writeFolded(chars, (i) => chars[i + 1] !== " ");
    }
    this.#whitespace = false;
    this.#indention = false;
  }

  writeSingleQuoted(chars: Characters, allowFold: boolean): void {
    this.writeIndicator("'", { space: true });
    const last = chars.length - 1;
    const mayFold = (i: number): boolean => allowFold && i > 0 && i < last && chars[i + 1] !== " ";
    this.#writeFolded(chars, mayFold, (char) => (char === "'" ? "''" : char));
    this.writeIndicator("'", { space: false });
    this.#whitespace = false;
    this.#indention = false;
  }

  /** Writes characters; a single space beyond the width becomes a line break. */
  #writeFolded(chars: Characters, mayFold: (i: number) => boolean, map?: (char: string) => string): void {
    let spaces = false;
    let breaks = false;
    for (let i = 0; i < chars.length; i++) {
      const char = chars[i] ?? "";
      if (char === " ") {
        if (!spaces && this.#column > this.#bestWidth && mayFold(i)) this.writeIndent();
        else this.#put(char);
        spaces = true;
      } else if (isBreak(char)) {
        if (!breaks && char === "\n") this.#putBreak();
        this.#writeBreak(char);
        breaks = true;
      } else {
        if (breaks) this.writeIndent();
        const written = map === undefined ? char : map(char);
        this.#put(written, written.length === 2 && written === "''" ? 2 : 1);
        this.#indention = false;
        spaces = false;
        breaks = false;
      }
    }
  }

  writeDoubleQuoted(chars: Characters, allowFold: boolean): void {
    this.writeIndicator('"', { space: true });
    let spaces = false;
    // go-yaml looks for a byte order mark at the start only, but at each character.
    const escapeAll = chars[0] === "\ufeff";
    for (let i = 0; i < chars.length; i++) {
      const char = chars[i] ?? "";
      if (escapeAll || !isPrintable(char, this.#options) || isBreak(char) || char === '"' || char === "\\") {
        const escaped = escapeChar(char);
        this.#put(escaped, escaped.length);
        spaces = false;
      } else if (char !== " ") {
        this.#put(char);
        spaces = false;
      } else {
        if (allowFold && !spaces && this.#column > this.#bestWidth && i > 0 && i < chars.length - 1) {
          this.writeIndent();
          if (chars[i + 1] === " ") this.#put("\\");
        } else this.#put(char);
        spaces = true;
      }
    }
    this.writeIndicator('"', { space: false });
    this.#whitespace = false;
    this.#indention = false;
  }

  writeLiteral(chars: Characters): void {
    this.writeIndicator("|", { space: true });
    if (chars[0] === " " || isBreak(chars[0])) this.writeIndicator(String(indentWidth), { space: false });
    const isKept = this.#options.marksFinalBreaks || chars.length === 1 || isBreak(chars[chars.length - 2]);
    const chomp = !isBreak(chars[chars.length - 1]) ? "-" : isKept ? "+" : "";
    if (chomp !== "") this.writeIndicator(chomp, { space: false });
    this.#putBreak();
    this.#indention = true;
    this.#whitespace = true;
    let breaks = true;
    for (let i = 0; i < chars.length; i++) {
      const char = chars[i] ?? "";
      if (isBreak(char)) {
        this.#writeBreak(char);
        breaks = true;
      } else {
        if (breaks) this.writeIndent();
        this.#put(char);
        this.#indention = false;
        breaks = false;
      }
    }
  }

  #put(text: string, width = 1): void {
    this.#output += text;
    this.#column += width;
  }

  #putBreak(): void {
    this.#output += "\n";
    this.#column = 0;
  }

  #writeBreak(char: string): void {
    this.#output += char;
    this.#column = 0;
    this.#indention = true;
  }
}

function escapeChar(char: string): string {
  const short = escapes[char];
  if (short !== undefined) return `\\${short}`;
  const code = char.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${hex(code, 2)}`;
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).toUpperCase().padStart(width, "0");
}
