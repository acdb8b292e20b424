import { YamlError } from "../yaml-error.ts";
import { carriageReturn, dot, endOfText, isBlankOrEnd, isKeptBreak, lineFeed, minus } from "./character.ts";

/** A place in a text. Lines and columns count from 0, columns in UTF-16 code units. */
export interface Mark {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Walks over a text. The text is followed by one `endOfText`, so that a look at the next character needs no check. */
export class Cursor {
  readonly text: string;
  offset: number;
  line = 0;
  /** Offset at which the line begins. */
  lineStart: number;

  constructor(text: string, start: number) {
    this.text = `${text}\0`;
    this.offset = start;
    this.lineStart = start;
  }

  get code(): number {
    return this.text.charCodeAt(this.offset);
  }

  get column(): number {
    return this.offset - this.lineStart;
  }

  /** The character `ahead` places further; only to be asked for when the ones before it are known to exist. */
  codeAt(ahead: number): number {
    return this.text.charCodeAt(this.offset + ahead);
  }

  mark(): Mark {
    return { offset: this.offset, line: this.line, column: this.column };
  }

  /** Steps over the line break here and gives what it is in the value of a scalar; "" when there is none. */
  readBreak(): string {
    const { code } = this;
    const width = code === carriageReturn && this.codeAt(1) === lineFeed ? 2 : 1;
    if (code === endOfText) return "";
    this.offset += width;
    this.line++;
    this.lineStart = this.offset;
    return isKeptBreak(code) ? String.fromCharCode(code) : "\n";
  }

  /** Whether a line with `---` or `...` begins here. */
  isAtDocumentIndicator(): boolean {
    const { code } = this;
    if ((code !== minus && code !== dot) || this.column !== 0) return false;
    return this.codeAt(1) === code && this.codeAt(2) === code && isBlankOrEnd(this.codeAt(3));
  }

  /** An error of the scanner, with go-yaml's line: none on the first one. `problem` says more than go-yaml's words where these do not help. */
  fail(words: string, problem = words): never {
    throw syntaxError({ words, problem }, this, this.line === 0 ? 0 : this.line + 1);
  }
}

/** An error of the parser: go-yaml tells the line before it. */
export function parserError(problem: string, at: Pick<Mark, "line" | "column">): YamlError {
  return syntaxError({ words: problem, problem }, at, at.line);
}

/** `shownLine` is what the message tells, 0 for nothing. */
function syntaxError(
  { words, problem }: { readonly words: string; readonly problem: string },
  at: Pick<Mark, "line" | "column">,
  shownLine: number,
): YamlError {
  const text = shownLine === 0 ? words : `line ${shownLine}: ${words}`;
  return new YamlError(`yaml: ${text}`, { problem, line: at.line + 1, column: at.column + 1 });
}
