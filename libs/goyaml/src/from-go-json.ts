/** A text that is no JSON, or JSON that does not fit. `message` has the words of Go's encoding/json. */
export class JsonError extends Error {
  override readonly name = "JsonError";
}

/**
 * The value of a JSON text, as Go's json.Unmarshal reads it into an interface: all numbers as float64. Throws JsonError,
 * whose message quotes one character of the text at most (or a number that is too large).
 */
export function fromGoJson(text: string): unknown {
  let value: unknown;
  try {
    // A reviver makes reading slow, and is needed for few texts only.
    const isUnusual = /\\u[dD]|[0-9][eE]|[0-9]{309}/.test(text);
    value = JSON.parse(text.toWellFormed(), isUnusual ? checkLeaf : undefined);
  } catch (error) {
    // Go's words; both readers accept the same texts.
    if (error instanceof SyntaxError) throw new JsonError(new JsonChecker(text).problem());
    throw error;
  }
  return value;
}

/** Go has no lone surrogates and no infinite numbers. */
function checkLeaf(
  this: void,
  ...[, value, context]: [key: string, value: unknown, context?: { source?: string }]
): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new JsonError(`json: cannot unmarshal number ${context?.source ?? ""} into Go value of type float64`);
  }
  return value;
}

/** Finds what Go's scanner stumbles over. */
class JsonChecker {
  readonly #text: string;
  #i = 0;

  constructor(text: string) {
    this.#text = text;
  }

  problem(): string {
    try {
      this.#value("looking for beginning of value");
      this.#space();
      if (this.#i < this.#text.length) this.#fail("after top-level value");
    } catch (error) {
      if (error instanceof JsonError) return error.message;
      // Nested deeper than our stack is.
      if (error instanceof RangeError) return "exceeded max depth";
      throw error;
    }
    return "invalid JSON";
  }

  #value(where: string): void {
    this.#space();
    const char = this.#text[this.#i];
    if (char === "{") this.#object();
    else if (char === "[") this.#array();
    else if (char === '"') this.#string();
    else if (char === "t" || char === "f" || char === "n") this.#literal(char);
    else if (char !== undefined && /[-0-9]/.test(char)) this.#number();
    else this.#fail(where);
  }

  #object(): void {
    this.#i++;
    this.#space();
    if (this.#take("}")) return;
    this.#key("looking for beginning of object key string");
    for (;;) {
      this.#space();
      if (!this.#take(":")) this.#fail("after object key");
      this.#value("looking for beginning of value");
      this.#space();
      if (this.#take("}")) return;
      if (!this.#take(",")) this.#fail("after object key:value pair");
      this.#space();
      this.#key("looking for beginning of object key string");
    }
  }

  #key(where: string): void {
    if (this.#text[this.#i] !== '"') this.#fail(where);
    this.#string();
  }

  #array(): void {
    this.#i++;
    this.#space();
    if (this.#take("]")) return;
    for (;;) {
      this.#value("looking for beginning of value");
      this.#space();
      if (this.#take("]")) return;
      if (!this.#take(",")) this.#fail("after array element");
    }
  }

  #string(): void {
    for (this.#i++; ; this.#i++) {
      const char = this.#text[this.#i];
      if (char === '"') break;
      if (char === undefined || char < " ") this.#fail("in string literal");
      if (char === "\\") this.#escape();
    }
    this.#i++;
  }

  #escape(): void {
    this.#i++;
    const char = this.#text[this.#i] ?? "";
    if (char !== "" && '"\\/bfnrt'.includes(char)) return;
    if (char !== "u") this.#failInToken("in string escape code");
    for (let digits = 0; digits < 4; digits++) {
      this.#i++;
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#i] ?? ""))
        this.#failInToken(String.raw`in \u hexadecimal character escape`);
    }
  }

  #literal(first: "t" | "f" | "n"): void {
    const word = { t: "true", f: "false", n: "null" }[first];
    for (const expected of word) {
      if (this.#text[this.#i] !== expected) this.#failInToken(`in literal ${word} (expecting '${expected}')`);
      this.#i++;
    }
  }

  #number(): void {
    this.#take("-");
    if (!this.#take("0")) this.#digits("in numeric literal");
    if (this.#take(".")) this.#digits("after decimal point in numeric literal");
    if (this.#take("e") || this.#take("E")) {
      if (!this.#take("+")) this.#take("-");
      this.#digits("in exponent of numeric literal");
    }
  }

  #digits(where: string): void {
    if (!/^[0-9]$/.test(this.#text[this.#i] ?? "")) this.#failInToken(where);
    while (/^[0-9]$/.test(this.#text[this.#i] ?? "")) this.#i++;
  }

  #space(): void {
    while (/^[ \t\r\n]$/.test(this.#text[this.#i] ?? "")) this.#i++;
  }

  #take(char: string): boolean {
    if (this.#text[this.#i] !== char) return false;
    this.#i++;
    return true;
  }

  /** Within a word, number or escape Go takes the end of the text for a space. */
  #failInToken(where: string): never {
    if (this.#i >= this.#text.length) throw new JsonError(`invalid character ' ' ${where}`);
    this.#fail(where);
  }

  #fail(where: string): never {
    const code = this.#text.codePointAt(this.#i);
    if (code === undefined) throw new JsonError("unexpected end of JSON input");
    throw new JsonError(`invalid character ${quoteByte(code)} ${where}`);
  }
}

/** Go shows the first byte of a character. */
function quoteByte(code: number): string {
  const byte = code < 0x80 ? code : (new TextEncoder().encode(String.fromCodePoint(code))[0] ?? 0);
  switch (byte) {
    case 0x27:
      return String.raw`'\''`;
    case 0x22:
      return `'"'`;
    case 0x5c:
      return String.raw`'\\'`;
    case 0x07:
      return String.raw`'\a'`;
    case 0x08:
      return String.raw`'\b'`;
    case 0x09:
      return String.raw`'\t'`;
    case 0x0a:
      return String.raw`'\n'`;
    case 0x0b:
      return String.raw`'\v'`;
    case 0x0c:
      return String.raw`'\f'`;
    case 0x0d:
      return String.raw`'\r'`;
    default:
      return byte < 0x20 || byte === 0x7f
        ? `'\\x${byte.toString(16).padStart(2, "0")}'`
        : `'${String.fromCharCode(byte)}'`;
  }
}
