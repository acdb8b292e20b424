import { doubleQuote, hexValue, isDigit } from "../scan/character.ts";

/** What is to be known of a JSON text before it is read. */
export interface JsonFacts {
  /** Where the numbers stand that are no float64. */
  readonly tooLarge: readonly { readonly start: number; readonly end: number }[];
  /** Whether a \u escape stands for a surrogate, perhaps without its other half. */
  readonly hasSurrogateEscapes: boolean;
}

/** Arrays and objects that Go opens in each other. */
const maxDepth = 10_000;

/** Shorter numbers without an exponent fit. */
const longestSafeNumber = 308;

const [slash, comma, colon, minus, plus, dot] = [0x5c, 0x2c, 0x3a, 0x2d, 0x2b, 0x2e];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const words = new Map([
  [0x74, "true"],
  [0x66, "false"],
  [0x6e, "null"],
]);

/** Goes through a JSON text once, without recursion. `fail` gets what Go's scanner says of the place it stumbles over. */
export class JsonChecker {
  readonly #text: string;
  readonly #fail: (problem: string) => never;
  readonly #tooLarge: { start: number; end: number }[] = [];
  /** The brackets that close what is open. */
  readonly #open: number[] = [];
  #hasSurrogateEscapes = false;
  #i = 0;

  /** How far it has come: where it failed, or what it went through ends. */
  get position(): number {
    return this.#i;
  }

  constructor(text: string, fail: (problem: string) => never) {
    this.#text = text;
    this.#fail = fail;
  }

  check(): JsonFacts {
    const facts = this.checkFirst();
    if (!Number.isNaN(this.#next())) this.#stumble("after top-level value");
    return facts;
  }

  /** Goes through the first value of the text; `position` is behind it then. */
  checkFirst(): JsonFacts {
    this.#value();
    for (let end = this.#open.at(-1); end !== undefined; end = this.#open.at(-1)) {
      const code = this.#next();
      if (code === end) this.#close();
      else if (code !== comma) {
        this.#stumble(end === closeBrace ? "after object key:value pair" : "after array element");
      } else {
        this.#i++;
        if (end === closeBrace) this.#key();
        this.#value();
      }
    }
    return { tooLarge: this.#tooLarge, hasSurrogateEscapes: this.#hasSurrogateEscapes };
  }

  /** A value; of an array or object what comes up to the end of its first value that is none itself. */
  #value(): void {
    for (;;) {
      const code = this.#next();
      if (code === openBrace || code === openBracket) {
        const end = code === openBrace ? closeBrace : closeBracket;
        if (this.#open.length >= maxDepth) this.#stumble("exceeded max depth");
        this.#open.push(end);
        this.#i++;
        if (this.#next() === end) return this.#close();
        if (end === closeBrace) this.#key();
      } else return this.#scalar(code);
    }
  }

  #close(): void {
    this.#i++;
    this.#open.pop();
  }

  #key(): void {
    if (this.#next() !== doubleQuote) this.#stumble("looking for beginning of object key string");
    this.#string();
    if (this.#next() !== colon) this.#stumble("after object key");
    this.#i++;
  }

  #scalar(code: number): void {
    if (code === doubleQuote) return this.#string();
    if (code === minus || isDigit(code)) return this.#number();
    const word = words.get(code);
    if (word === undefined) this.#stumble("looking for beginning of value");
    else this.#word(word);
  }

  #string(): void {
    const text = this.#text;
    for (this.#i++; ; this.#i++) {
      const code = text.charCodeAt(this.#i);
      if (code === doubleQuote) break;
      if (code === slash) this.#escape();
      else if (!(code >= 0x20)) this.#stumble("in string literal");
    }
    this.#i++;
  }

  #escape(): void {
    const letter = this.#text.charAt(++this.#i);
    if (letter !== "" && '"\\/bfnrt'.includes(letter)) return;
    if (letter !== "u") this.#stumbleInToken("in string escape code");
    for (let digits = 0; digits < 4; digits++) {
      if (hexValue(this.#text.charCodeAt(++this.#i)) < 0) {
        this.#stumbleInToken(String.raw`in \u hexadecimal character escape`);
      }
    }
    if (/^[dD][89a-fA-F]/.test(this.#text.slice(this.#i - 3, this.#i - 1))) this.#hasSurrogateEscapes = true;
  }

  #word(word: string): void {
    for (const expected of word) {
      if (this.#text.charAt(this.#i) !== expected) this.#stumbleInToken(`in literal ${word} (expecting '${expected}')`);
      this.#i++;
    }
  }

  #number(): void {
    const start = this.#i;
    this.#take(minus);
    if (!this.#take(0x30)) this.#digits("in numeric literal");
    if (this.#take(dot)) this.#digits("after decimal point in numeric literal");
    const isPower = (this.#text.charCodeAt(this.#i) | 0x20) === 0x65;
    if (isPower) {
      this.#i++;
      if (!this.#take(plus)) this.#take(minus);
      this.#digits("in exponent of numeric literal");
    }
    const end = this.#i;
    if (!isPower && end - start <= longestSafeNumber) return;
    if (!Number.isFinite(Number(this.#text.slice(start, end)))) this.#tooLarge.push({ start, end });
  }

  #digits(where: string): void {
    if (!isDigit(this.#text.charCodeAt(this.#i))) this.#stumbleInToken(where);
    while (isDigit(this.#text.charCodeAt(this.#i))) this.#i++;
  }

  /** The next character that is no space; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#i);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#i++;
    }
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#i) !== code) return false;
    this.#i++;
    return true;
  }

  /** Within a word, number or escape Go takes the end of the text for a space. */
  #stumbleInToken(where: string): never {
    if (this.#i >= this.#text.length) this.#fail(`invalid character ' ' ${where}`);
    this.#stumble(where);
  }

  #stumble(where: string): never {
    const code = this.#text.codePointAt(this.#i);
    return this.#fail(
      code === undefined ? "unexpected end of JSON input" : `invalid character ${quote(code)} ${where}`,
    );
  }
}

const shortEscapes: Readonly<Record<number, string>> = {
  0x27: String.raw`\'`,
  0x5c: "\\\\",
  0x07: String.raw`\a`,
  0x08: String.raw`\b`,
  0x09: String.raw`\t`,
  0x0a: String.raw`\n`,
  0x0b: String.raw`\v`,
  0x0c: String.raw`\f`,
  0x0d: String.raw`\r`,
};

/** A character in quotes: Go shows the first byte of it as if it were one. */
function quote(code: number): string {
  const byte = firstByte(code);
  const isControl = byte < 0x20 || byte === 0x7f;
  const plain = isControl ? String.raw`\x${byte.toString(16).padStart(2, "0")}` : String.fromCharCode(byte);
  return `'${shortEscapes[byte] ?? plain}'`;
}

function firstByte(code: number): number {
  // A lone surrogate stands for a byte that is no UTF-8.
  if (code >= 0xdc80 && code <= 0xdcff) return code & 0xff;
  return code < 0x80 ? code : (Buffer.from(String.fromCodePoint(code), "utf8")[0] ?? 0);
}
