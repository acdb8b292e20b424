import * as is from "./character.ts";
import { Cursor, type Mark } from "./cursor.ts";
import { scanBlockScalar } from "./scan-block-scalar.ts";
import { scanDirective } from "./scan-directive.ts";
import { scanPlain } from "./scan-plain.ts";
import { scanQuoted } from "./scan-quoted.ts";
import { scanTag } from "./scan-tag.ts";
import { SimpleKeys } from "./simple-keys.ts";
import { noContent, type Token, type TokenContent, type TokenKind } from "./token.ts";

/** Collections that may be open at a place of the text. */
const maxDepth = 10_000;

/** Taken tokens that the queue may hold before it lets go of them. */
const longestWait = 1024;

/**
 * Cuts a YAML 1.1 text into tokens by libyaml's rules. Indentation becomes tokens, and a key without `?` gets its `key`
 * token when its colon is found. Throws YamlError with go-yaml's words.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #start: number;
  #tokenStart = 0;
  readonly #keys: SimpleKeys;
  #queue: Token[] = [];
  /** Index of the next token in the queue, and its number in the stream. */
  #head = 0;
  #taken = 0;
  #hasEnded = false;
  /** Column of the block collection here, -1 for none, and of those around it. */
  #indent = -1;
  readonly #outerIndents: number[] = [];
  #flowDepth = 0;
  #allowsSimpleKey = true;

  /** The text from offset `start` on. */
  constructor(text: string, start = 0) {
    this.#start = start;
    this.#cursor = new Cursor(text, start);
    this.#keys = new SimpleKeys(this.#cursor);
  }

  /** Offset up to which the text has been looked at: libyaml looks at four characters for the begin of a token. */
  get lookedAt(): number {
    return Math.max(this.#tokenStart + 4, this.#cursor.offset + 1);
  }

  /** The next token, which stays the next one. */
  peek(): Token {
    for (;;) {
      const token = this.#queue[this.#head];
      if (token !== undefined && !this.#keys.mayBeKey(this.#taken)) return token;
      this.#fetch();
    }
  }

  /** Goes on to the token after the one that peek() gave. */
  skip(): void {
    this.#head++;
    this.#taken++;
    // The end of the stream stays the next token.
    if (this.#hasEnded && this.#head === this.#queue.length) this.#head--;
    else if (this.#head === this.#queue.length || this.#head > longestWait) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#closeBlocks(cursor.column);
    this.#tokenStart = cursor.offset;
    const { code } = cursor;
    if (code === is.endOfText) return this.#fetchStreamEnd();
    if (cursor.column === 0 && code === is.percent) return this.#fetchDirective();
    if (cursor.isAtDocumentIndicator()) return this.#fetchDocumentIndicator();
    switch (code) {
      case is.openBracket:
        return this.#openFlow("flow-sequence-start");
      case is.openBrace:
        return this.#openFlow("flow-mapping-start");
      case is.closeBracket:
        return this.#closeFlow("flow-sequence-end");
      case is.closeBrace:
        return this.#closeFlow("flow-mapping-end");
      case is.comma:
        return this.#fetchFlowEntry();
      case is.asterisk:
        return this.#fetchAnchor("alias");
      case is.ampersand:
        return this.#fetchAnchor("anchor");
      case is.exclamationMark:
        return this.#fetchTag();
      case is.singleQuote:
      case is.doubleQuote:
        return this.#fetchQuoted();
      case is.minus:
        if (is.isBlankOrEnd(cursor.codeAt(1))) return this.#fetchBlockEntry();
        return this.#fetchPlain();
      case is.questionMark:
        if (this.#isIndicatorHere()) return this.#fetchKey();
        return this.#fetchPlain();
      case is.colon:
        if (this.#isIndicatorHere()) return this.#fetchValue();
        return this.#fetchPlain();
      case is.verticalBar:
      case is.greaterThan:
        if (this.#flowDepth === 0) return this.#fetchBlockScalar();
        return this.#failStart();
      case is.tab:
      case is.hash:
      case is.percent:
      case is.at:
      case is.backquote:
        return this.#failStart();
      default:
        return this.#fetchPlain();
    }
  }

  #isIndicatorHere(): boolean {
    return this.#flowDepth > 0 || is.isBlankOrEnd(this.#cursor.codeAt(1));
  }

  #failStart(): never {
    // The character may be the first one of a secret: only a tab is named.
    const problem =
      this.#cursor.code === is.tab
        ? "found a tab where YAML expects spaces; indent with spaces"
        : "found a character that cannot start a value; quote the value";
    return this.#cursor.fail("found character that cannot start any token", problem);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    // A second byte order mark at the very start; elsewhere it is a character like others.
    if (cursor.offset === this.#start && cursor.code === is.byteOrderMark) cursor.offset++;
    for (;;) {
      const { code } = cursor;
      if (code === is.space || (code === is.tab && (this.#flowDepth > 0 || !this.#allowsSimpleKey))) cursor.offset++;
      else if (code === is.hash) while (!is.isBreakOrEnd(cursor.code)) cursor.offset++;
      else if (is.isBreak(code)) {
        cursor.readBreak();
        if (this.#flowDepth === 0) this.#allowsSimpleKey = true;
      } else return;
    }
  }

  // Tokens

  #fetchStreamEnd(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.line++;
      cursor.lineStart = cursor.offset;
    }
    this.#closeBlocks(-1);
    this.#keys.remove();
    this.#allowsSimpleKey = false;
    this.#push("stream-end", cursor.mark());
    this.#hasEnded = true;
  }

  #fetchDirective(): void {
    this.#endBlocks();
    const start = this.#cursor.mark();
    const { kind, text, handle } = scanDirective(this.#cursor);
    this.#push(kind, start, { ...noContent, text, handle });
  }

  #fetchDocumentIndicator(): void {
    this.#endBlocks();
    const start = this.#cursor.mark();
    const kind = this.#cursor.code === is.minus ? "document-start" : "document-end";
    this.#cursor.offset += 3;
    this.#push(kind, start);
  }

  #openFlow(kind: "flow-sequence-start" | "flow-mapping-start"): void {
    this.#saveKey();
    this.#keys.openFlow(this.#nextNumber);
    if (++this.#flowDepth > maxDepth) this.#cursor.fail(`exceeded max depth of ${maxDepth}`);
    this.#allowsSimpleKey = true;
    this.#pushCharacter(kind);
  }

  #closeFlow(kind: "flow-sequence-end" | "flow-mapping-end"): void {
    this.#keys.remove();
    if (this.#flowDepth > 0) {
      this.#flowDepth--;
      this.#keys.closeFlow();
    }
    this.#allowsSimpleKey = false;
    this.#pushCharacter(kind);
  }

  #fetchFlowEntry(): void {
    this.#keys.remove();
    this.#allowsSimpleKey = true;
    this.#pushCharacter("flow-entry");
  }

  #fetchBlockEntry(): void {
    // In a flow collection the parser finds the mistake.
    if (this.#flowDepth === 0) {
      if (!this.#allowsSimpleKey) this.#cursor.fail("block sequence entries are not allowed in this context");
      this.#openBlock("block-sequence-start", this.#cursor.mark());
    }
    this.#keys.remove();
    this.#allowsSimpleKey = true;
    this.#pushCharacter("block-entry");
  }

  #fetchKey(): void {
    if (this.#flowDepth === 0) {
      if (!this.#allowsSimpleKey) this.#cursor.fail("mapping keys are not allowed in this context");
      this.#openBlock("block-mapping-start", this.#cursor.mark());
    }
    this.#keys.remove();
    this.#allowsSimpleKey = this.#flowDepth === 0;
    this.#pushCharacter("key");
  }

  #fetchValue(): void {
    const key = this.#keys.take();
    if (key !== undefined) {
      this.#insert(key.token, makeToken("key", key, { end: key, content: noContent }));
      this.#openBlock("block-mapping-start", key, key.token);
      this.#allowsSimpleKey = false;
    } else {
      if (this.#flowDepth === 0) {
        if (!this.#allowsSimpleKey) this.#cursor.fail("mapping values are not allowed in this context");
        this.#openBlock("block-mapping-start", this.#cursor.mark());
      }
      this.#allowsSimpleKey = this.#flowDepth === 0;
    }
    this.#pushCharacter("value");
  }

  #fetchAnchor(kind: "anchor" | "alias"): void {
    this.#saveKey();
    this.#allowsSimpleKey = false;
    const cursor = this.#cursor;
    const start = cursor.mark();
    cursor.offset++;
    const from = cursor.offset;
    while (is.isWordCharacter(cursor.code)) cursor.offset++;
    const isEnd = is.isBlankOrEnd(cursor.code) || "?:,]}%@`".includes(String.fromCharCode(cursor.code));
    if (cursor.offset === from || !isEnd) cursor.fail("did not find expected alphabetic or numeric character");
    this.#push(kind, start, { ...noContent, text: cursor.text.slice(from, cursor.offset) });
  }

  #fetchTag(): void {
    this.#saveKey();
    this.#allowsSimpleKey = false;
    const start = this.#cursor.mark();
    const { handle, suffix } = scanTag(this.#cursor);
    this.#push("tag", start, { ...noContent, text: suffix, handle });
  }

  #fetchBlockScalar(): void {
    this.#keys.remove();
    this.#allowsSimpleKey = true;
    const start = this.#cursor.mark();
    const { text, style } = scanBlockScalar(this.#cursor, this.#indent);
    this.#push("scalar", start, { text, handle: "", style });
  }

  #fetchQuoted(): void {
    this.#saveKey();
    this.#allowsSimpleKey = false;
    const start = this.#cursor.mark();
    const style = this.#cursor.code === is.singleQuote ? "single" : "double";
    this.#push("scalar", start, { text: scanQuoted(this.#cursor), handle: "", style });
  }

  #fetchPlain(): void {
    this.#saveKey();
    const start = this.#cursor.mark();
    const scalar = scanPlain(this.#cursor, { indent: this.#indent + 1, isFlow: this.#flowDepth > 0 });
    this.#allowsSimpleKey = scalar.endsLine;
    const end = { offset: scalar.end, line: scalar.endLine, column: scalar.endColumn };
    const content: TokenContent = { text: scalar.text, handle: "", style: "plain" };
    this.#queue.push(makeToken("scalar", start, { end, content }));
  }

  // Indentation and keys

  #saveKey(): void {
    if (!this.#allowsSimpleKey) return;
    const isRequired = this.#flowDepth === 0 && this.#indent === this.#cursor.column;
    this.#keys.save(this.#nextNumber, isRequired);
  }

  /** Begins a block collection at a column deeper than the one here; `token` is the number its token gets. */
  #openBlock(kind: "block-sequence-start" | "block-mapping-start", start: Mark, token?: number): void {
    if (this.#flowDepth > 0 || this.#indent >= start.column) return;
    this.#outerIndents.push(this.#indent);
    this.#indent = start.column;
    if (this.#outerIndents.length > maxDepth) this.#cursor.fail(`exceeded max depth of ${maxDepth}`);
    const opening = makeToken(kind, start, { end: start, content: noContent });
    if (token === undefined) this.#queue.push(opening);
    else this.#insert(token, opening);
  }

  /** Ends the block collections that are deeper than a column. */
  #closeBlocks(column: number): void {
    if (this.#flowDepth > 0) return;
    while (this.#indent > column) {
      this.#push("block-end", this.#cursor.mark());
      this.#indent = this.#outerIndents.pop() ?? -1;
    }
  }

  /** What every line that belongs to no block collection does. */
  #endBlocks(): void {
    this.#closeBlocks(-1);
    this.#keys.remove();
    this.#allowsSimpleKey = false;
  }

  // The queue

  /** The number that the next token at the end of the queue gets. */
  get #nextNumber(): number {
    return this.#taken + this.#queue.length - this.#head;
  }

  #insert(number: number, token: Token): void {
    // The queue may have left the key behind, see SimpleKeys.closeFlow.
    if (number < this.#taken) this.#queue.push(token);
    else this.#queue.splice(this.#head + number - this.#taken, 0, token);
  }

  #pushCharacter(kind: TokenKind): void {
    const start = this.#cursor.mark();
    this.#cursor.offset++;
    this.#push(kind, start);
  }

  /** A token from `start` to the cursor. */
  #push(kind: TokenKind, start: Mark, content = noContent): void {
    this.#queue.push(makeToken(kind, start, { end: this.#cursor.mark(), content }));
  }
}

function makeToken(kind: TokenKind, start: Mark, { end, content }: { end: Mark; content: TokenContent }): Token {
  return {
    kind,
    offset: start.offset,
    line: start.line,
    column: start.column,
    end: end.offset,
    endLine: end.line,
    endColumn: end.column,
    text: content.text,
    handle: content.handle,
    style: content.style,
  };
}
