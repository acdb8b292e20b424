import { GoInt } from "../value/go-int.ts";
import { typeName } from "../value/type-name.ts";
import type { Value } from "../value/value.ts";
import { type Flags, noFlags } from "./flags.ts";
import { printArg } from "./print-arg.ts";

/** Go's limit for widths, precisions and argument numbers. */
const largest = 1e6;

/** fmt.Sprint: a space between operands when neither is a string. */
export function sprint(args: readonly Value[]): string {
  let result = "";
  let previousIsString = false;
  for (const [i, arg] of args.entries()) {
    const isString = typeof arg === "string";
    if (i > 0 && !isString && !previousIsString) result += " ";
    result += printArg(arg, "v", noFlags());
    previousIsString = isString;
  }
  return result;
}

/** fmt.Sprintln: a space between all operands and a newline at the end. */
export function sprintln(args: readonly Value[]): string {
  return `${args.map((arg) => printArg(arg, "v", noFlags())).join(" ")}\n`;
}

/** fmt.Sprintf with all verbs, flags, `*` and argument numbers; mistakes show as Go's %!verb(...) texts. */
export function sprintf(format: string, args: readonly Value[]): string {
  return new FormatReader(format, args).run();
}

class FormatReader {
  readonly #format: string;
  readonly #args: readonly Value[];
  #i = 0;
  #arg = 0;
  #afterIndex = false;
  #reordered = false;
  #goodArgument = true;
  #result = "";

  constructor(format: string, args: readonly Value[]) {
    this.#format = format;
    this.#args = args;
  }

  run(): string {
    while (this.#i < this.#format.length) {
      const next = this.#format.indexOf("%", this.#i);
      if (next < 0) {
        this.#result += this.#format.slice(this.#i);
        break;
      }
      this.#result += this.#format.slice(this.#i, next);
      this.#i = next + 1;
      this.#goodArgument = true;
      this.#afterIndex = false;
      if (!this.#readDirective()) break;
    }
    return this.#result + this.#extra();
  }

  /** Reads and prints one directive; false at the end of the format. */
  #readDirective(): boolean {
    const flags = this.#readFlags();
    this.#readArgumentNumber();
    this.#readWidth(flags);
    this.#readPrecision(flags);
    if (!this.#afterIndex) this.#readArgumentNumber();
    const code = this.#format.codePointAt(this.#i);
    if (code === undefined) {
      this.#result += "%!(NOVERB)";
      return false;
    }
    const verb = String.fromCodePoint(code);
    this.#i += verb.length;
    this.#print(verb, flags);
    return true;
  }

  #print(verb: string, flags: Flags): void {
    if (verb === "%") this.#result += "%";
    else if (!this.#goodArgument) this.#result += `%!${verb}(BADINDEX)`;
    else if (this.#arg >= this.#args.length) this.#result += `%!${verb}(MISSING)`;
    else {
      if (verb === "v" || verb === "w") {
        flags.sharpV = flags.sharp;
        flags.sharp = false;
        flags.plusV = flags.plus;
        flags.plus = false;
      }
      this.#result += printArg(this.#args[this.#arg], verb, flags);
      this.#arg++;
    }
  }

  #readFlags(): Flags {
    const flags = noFlags();
    for (; this.#i < this.#format.length; this.#i++) {
      switch (this.#format.charAt(this.#i)) {
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

  #readWidth(flags: Flags): void {
    if (this.#format[this.#i] === "*") {
      this.#i++;
      flags.width = this.#intArgument();
      if (flags.width === undefined) this.#result += "%!(BADWIDTH)";
      else if (flags.width < 0) {
        flags.width = -flags.width;
        flags.minus = true;
        flags.zero = false;
      }
      this.#afterIndex = false;
      return;
    }
    flags.width = this.#readNumber();
    if (this.#afterIndex && flags.width !== undefined) this.#goodArgument = false;
  }

  #readPrecision(flags: Flags): void {
    if (this.#format[this.#i] !== "." || this.#i + 1 >= this.#format.length) return;
    this.#i++;
    if (this.#afterIndex) this.#goodArgument = false;
    this.#readArgumentNumber();
    if (this.#format[this.#i] === "*") {
      this.#i++;
      const precision = this.#intArgument();
      if (precision === undefined || precision < 0) this.#result += "%!(BADPREC)";
      else flags.precision = precision;
      this.#afterIndex = false;
      return;
    }
    flags.precision = this.#readNumber() ?? 0;
  }

  #readNumber(): number | undefined {
    const start = this.#i;
    let value = 0;
    for (; this.#i < this.#format.length; this.#i++) {
      const digit = this.#format.charCodeAt(this.#i) - 0x30;
      if (digit < 0 || digit > 9) break;
      if (value > largest) {
        this.#i = this.#format.length;
        return undefined;
      }
      value = value * 10 + digit;
    }
    return this.#i === start ? undefined : value;
  }

  #intArgument(): number | undefined {
    const arg = this.#args[this.#arg];
    if (this.#arg < this.#args.length) this.#arg++;
    if (!(arg instanceof GoInt)) return undefined;
    const value = arg.toNumber();
    return Math.abs(value) > largest ? undefined : value;
  }

  /** `[n]`: the next argument is the n-th. */
  #readArgumentNumber(): void {
    this.#afterIndex = false;
    if (this.#format[this.#i] !== "[") return;
    this.#reordered = true;
    const end = this.#format.indexOf("]", this.#i);
    const inside = end < 0 ? "" : this.#format.slice(this.#i + 1, end);
    if (end < 0) {
      this.#i++;
      this.#goodArgument = false;
      return;
    }
    this.#i = end + 1;
    if (!/^[0-9]{1,7}$/.test(inside)) {
      this.#goodArgument = false;
      return;
    }
    const index = Number(inside) - 1;
    this.#afterIndex = true;
    if (index >= 0 && index < this.#args.length) this.#arg = index;
    else this.#goodArgument = false;
  }

  #extra(): string {
    if (this.#reordered || this.#arg >= this.#args.length) return "";
    const items = this.#args
      .slice(this.#arg)
      .map((arg) =>
        arg === undefined || arg === null ? "<nil>" : `${typeName(arg)}=${printArg(arg, "v", noFlags())}`,
      );
    return `%!(EXTRA ${items.join(", ")})`;
  }
}
