import { int, sprintf } from "@landscaper/golang";
import { TomlError } from "./toml-error.ts";

/** A place in a TOML text, with the key that is being read: error messages name both. */
export class TomlCursor {
  readonly text: string;
  pos = 0;
  /** From 1. */
  line = 1;
  /** Tables around the key. */
  context: readonly string[] = [];
  /** The last part of the key whose value is being read. */
  key: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The next character, "" at the end. */
  peek(): string {
    const code = this.text.codePointAt(this.pos);
    if (code === undefined) return "";
    const char = String.fromCodePoint(code);
    if (isForbidden(char, this.text.charAt(this.pos + 1))) {
      this.fail(`TOML files cannot contain control characters: '0x${code.toString(16).padStart(2, "0")}'`);
    }
    return char;
  }

  next(): string {
    const char = this.peek();
    this.pos += char.length;
    if (char === "\n") this.line++;
    return char;
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.pos);
  }

  take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.next();
    return true;
  }

  /** Characters as long as the pattern matches each of them. */
  takeWhile(pattern: RegExp): string {
    const start = this.pos;
    for (let char = this.peek(); char !== "" && pattern.test(char); char = this.peek()) this.next();
    return this.text.slice(start, this.pos);
  }

  skipSpace(): void {
    this.takeWhile(/[ \t]/);
  }

  /** Also line breaks and comments. */
  skipLines(): void {
    for (;;) {
      this.takeWhile(/\s/);
      if (this.peek() !== "#") return;
      this.takeWhile(/[^\n]/);
    }
  }

  /** The next character as Go's %q shows it. */
  quoted(): string {
    return sprintf("%q", [int(this.peek().codePointAt(0) ?? 0)]);
  }

  fail(message: string, line = this.line): never {
    const path = [...this.context, ...(this.key === undefined ? [] : [this.key])].join(".");
    const lastKey = path === "" ? "" : ` (last key "${path}")`;
    throw new TomlError(`toml: line ${line}${lastKey}: ${message}`);
  }
}

function isForbidden(char: string, next: string): boolean {
  if (char === "\r") return next !== "\n";
  return (char < " " && char !== "\t" && char !== "\n") || char === "\u007f";
}
