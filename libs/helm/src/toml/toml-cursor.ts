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
    if (code < 0x20 || code === 0x7f) this.#refuseControl(code);
    return code < 0x80 ? this.text.charAt(this.pos) : String.fromCodePoint(code);
  }

  #refuseControl(code: number): void {
    if (code === 0x09 || code === 0x0a || (code === 0x0d && this.text.charAt(this.pos + 1) === "\n")) return;
    this.fail(`TOML files cannot contain control characters: '0x${code.toString(16).padStart(2, "0")}'`);
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

  /** What a sticky pattern matches here, "" for nothing. It must not match control characters. */
  takeAll(pattern: RegExp): string {
    pattern.lastIndex = this.pos;
    const [match = ""] = pattern.exec(this.text) ?? [];
    this.pos += match.length;
    for (let i = match.indexOf("\n"); i >= 0; i = match.indexOf("\n", i + 1)) this.line++;
    return match;
  }

  skipSpace(): void {
    this.takeAll(/[ \t]+/y);
  }

  /** Up to the end of the line. */
  skipComment(): void {
    // eslint-disable-next-line no-control-regex -- control characters are what ends it
    this.takeAll(/#[^\n\u0000-\u0008\u000b-\u001f\u007f]*/y);
  }

  /** Also line breaks and comments. */
  skipLines(): void {
    for (;;) {
      this.takeAll(/(?:[ \t\n]|\r\n)+/y);
      if (this.peek() !== "#") return;
      this.skipComment();
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
