import { type Flags, noFlags } from "./flags.ts";

/** Go's limit for widths, precisions and argument numbers. */
export const largest = 1e6;

/** `[n]` before a width, precision or verb: the index of the argument, or that it cannot be read. */
export type ArgumentNumber = number | "bad";

/** One `%...` of a format. */
export interface Directive {
  /** With the width and precision that are written as numbers. */
  readonly flags: Flags;
  readonly widthNumber: ArgumentNumber | undefined;
  /** `*`: the width is an argument. */
  readonly hasWidthArgument: boolean;
  readonly precisionNumber: ArgumentNumber | undefined;
  readonly hasPrecisionArgument: boolean;
  readonly verbNumber: ArgumentNumber | undefined;
  /** Argument numbers stand where they may. */
  readonly isWellFormed: boolean;
  /** Undefined at the end of the format. */
  readonly verb: string | undefined;
}

/** A format as texts and directives. */
export type Format = readonly (string | Directive)[];

/** Formats are literals nearly always. */
const known = new Map<string, Format>();
const maxKnown = 1000;
const maxKnownLength = 200;

/** Reads a format of fmt.Sprintf; nothing is an error, mistakes show when it is printed. */
export function parseFormat(text: string): Format {
  const found = known.get(text);
  if (found !== undefined) return found;
  const format = new FormatParser(text).parse();
  if (text.length <= maxKnownLength) {
    if (known.size >= maxKnown) known.clear();
    known.set(text, format);
  }
  return format;
}

/** No flags at all are always the same object, by which the usual case is known. */
function isPlain(flags: Flags): boolean {
  return Object.entries(noFlags).every(([name, value]) => flags[name as keyof Flags] === value);
}

class FormatParser {
  readonly #text: string;
  #i = 0;
  #afterNumber = false;
  #isWellFormed = true;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Format {
    const format: (string | Directive)[] = [];
    while (this.#i < this.#text.length) {
      const next = this.#text.indexOf("%", this.#i);
      if (next < 0) {
        format.push(this.#text.slice(this.#i));
        break;
      }
      if (next > this.#i) format.push(this.#text.slice(this.#i, next));
      this.#i = next + 1;
      format.push(this.#readDirective());
    }
    return format;
  }

  #readDirective(): Directive {
    this.#isWellFormed = true;
    const flags = this.#readFlags();
    const widthNumber = this.#readArgumentNumber();
    const hasWidthArgument = this.#readStar();
    if (!hasWidthArgument) {
      flags.width = this.#readNumber();
      if (this.#afterNumber && flags.width !== undefined) this.#isWellFormed = false;
    }
    let precisionNumber: ArgumentNumber | undefined;
    let hasPrecisionArgument = false;
    if (this.#text[this.#i] === "." && this.#i + 1 < this.#text.length) {
      this.#i++;
      if (this.#afterNumber) this.#isWellFormed = false;
      precisionNumber = this.#readArgumentNumber();
      hasPrecisionArgument = this.#readStar();
      if (!hasPrecisionArgument) flags.precision = this.#readNumber() ?? 0;
    }
    const verbNumber = this.#afterNumber ? undefined : this.#readArgumentNumber();
    const verb = this.#readVerb(flags);
    const isWellFormed = this.#isWellFormed;
    return {
      flags: isPlain(flags) ? noFlags : flags,
      widthNumber,
      hasWidthArgument,
      precisionNumber,
      hasPrecisionArgument,
      verbNumber,
      isWellFormed,
      verb,
    };
  }

  #readVerb(flags: { -readonly [K in keyof Flags]: Flags[K] }): string | undefined {
    const code = this.#text.codePointAt(this.#i);
    if (code === undefined) return undefined;
    const verb = String.fromCodePoint(code);
    this.#i += verb.length;
    if (verb === "v" || verb === "w") {
      flags.sharpV = flags.sharp;
      flags.sharp = false;
      flags.plusV = flags.plus;
      flags.plus = false;
    }
    return verb;
  }

  #readFlags(): { -readonly [K in keyof Flags]: Flags[K] } {
    const flags = { ...noFlags };
    for (; this.#i < this.#text.length; this.#i++) {
      switch (this.#text.charAt(this.#i)) {
        case "#":
          flags.sharp = true;
          break;
        case "0":
          flags.zero = true;
          break;
        case "+":
          flags.plus = true;
          break;
        case "-":
          flags.minus = true;
          break;
        case " ":
          flags.space = true;
          break;
        default:
          return flags;
      }
    }
    return flags;
  }

  #readStar(): boolean {
    if (this.#text[this.#i] !== "*") return false;
    this.#i++;
    this.#afterNumber = false;
    return true;
  }

  #readNumber(): number | undefined {
    const start = this.#i;
    let value = 0;
    for (; this.#i < this.#text.length; this.#i++) {
      const digit = this.#text.charCodeAt(this.#i) - 0x30;
      if (digit < 0 || digit > 9) break;
      if (value > largest) {
        this.#i = this.#text.length;
        return undefined;
      }
      value = value * 10 + digit;
    }
    return this.#i === start ? undefined : value;
  }

  /** `[n]`: the next argument is the n-th. */
  #readArgumentNumber(): ArgumentNumber | undefined {
    this.#afterNumber = false;
    if (this.#text[this.#i] !== "[") return undefined;
    const end = this.#text.indexOf("]", this.#i);
    if (end < 0) {
      this.#i++;
      return "bad";
    }
    const inside = this.#text.slice(this.#i + 1, end);
    this.#i = end + 1;
    if (!/^[0-9]{1,7}$/.test(inside)) return "bad";
    this.#afterNumber = true;
    return Number(inside) - 1;
  }
}
