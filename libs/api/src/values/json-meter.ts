const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Measures a JSON text that comes in parts, before it is parsed. What parsing costs, and every later walk over the result, goes by the number of values: a
 * MiB of empty lists takes 50 times as long as a text of that size.
 */
export class JsonMeter {
  #values = 1;
  #levels = 0;
  #deepest = 0;
  #isInString = false;
  #isEscaped = false;

  /** How many values the text has, those in lists and maps included; up to twice as many when they are lists and maps themselves. */
  get values(): number {
    return this.#values;
  }

  /** How many lists and maps are around the innermost value. */
  get deepest(): number {
    return this.#deepest;
  }

  add(part: Uint8Array): void {
    let at = this.#isInString ? this.#endOfString(part, 0) : 0;
    // Local variables: this loop is for every byte of every large answer.
    let values = this.#values;
    let levels = this.#levels;
    let deepest = this.#deepest;
    for (; at < part.length; at++) {
      const byte = part[at];
      if (byte === quote) {
        at = this.#endOfString(part, at + 1) - 1;
      } else if (byte === comma) values++;
      else if (byte === openBracket || byte === openBrace) {
        values++;
        levels++;
        if (levels > deepest) deepest = levels;
      } else if (byte === closeBracket || byte === closeBrace) levels--;
    }
    this.#values = values;
    this.#levels = levels;
    this.#deepest = deepest;
  }

  /** Where the string ends that `from` is in; the length of the part when it goes on in the next one. */
  #endOfString(part: Uint8Array, from: number): number {
    let isEscaped = this.#isEscaped;
    for (let at = from; at < part.length; at++) {
      const byte = part[at];
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        this.#isInString = false;
        this.#isEscaped = false;
        return at + 1;
      }
    }
    this.#isInString = true;
    this.#isEscaped = isEscaped;
    return part.length;
  }
}
