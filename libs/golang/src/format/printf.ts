import { GoInt } from "../value/go-int.ts";
import { typeName } from "../value/type-name.ts";
import type { Value } from "../value/value.ts";
import { type Flags, noFlags } from "./flags.ts";
import { type ArgumentNumber, type Directive, largest, parseFormat } from "./parse-format.ts";
import { printArg } from "./print-arg.ts";

/** fmt.Sprint: a space between operands when neither is a string. */
export function sprint(args: readonly Value[]): string {
  let result = "";
  let previousIsString = false;
  for (const [i, arg] of args.entries()) {
    const isString = typeof arg === "string";
    if (i > 0 && !isString && !previousIsString) result += " ";
    result += printArg(arg, "v", noFlags);
    previousIsString = isString;
  }
  return result;
}

/** fmt.Sprintln: a space between all operands and a newline at the end. */
export function sprintln(args: readonly Value[]): string {
  return `${args.map((arg) => printArg(arg, "v", noFlags)).join(" ")}\n`;
}

/**
 * fmt.Sprintf with all verbs, flags, `*` and argument numbers; mistakes show as Go's %!verb(...) texts. `onLength` is told
 * how long the text has become, after each directive.
 */
export function sprintf(format: string, args: readonly Value[], onLength?: (length: number) => void): string {
  return new Printer(args, onLength).print(format);
}

class Printer {
  readonly #args: readonly Value[];
  readonly #onLength: ((length: number) => void) | undefined;
  #arg = 0;
  #reordered = false;
  #hasArgument = true;
  #result = "";

  constructor(args: readonly Value[], onLength: ((length: number) => void) | undefined) {
    this.#args = args;
    this.#onLength = onLength;
  }

  print(format: string): string {
    for (const piece of parseFormat(format)) {
      if (typeof piece === "string") this.#result += piece;
      else {
        this.#printDirective(piece);
        this.#onLength?.(this.#result.length);
      }
    }
    return this.#reordered || this.#arg >= this.#args.length ? this.#result : this.#result + this.#extra();
  }

  #printDirective(directive: Directive): void {
    this.#hasArgument = directive.isWellFormed;
    let { flags } = directive;
    this.#goTo(directive.widthNumber);
    if (directive.hasWidthArgument) flags = this.#withWidth(flags);
    this.#goTo(directive.precisionNumber);
    if (directive.hasPrecisionArgument) flags = this.#withPrecision(flags);
    this.#goTo(directive.verbNumber);
    this.#printVerb(directive.verb, flags);
  }

  #printVerb(verb: string | undefined, flags: Flags): void {
    if (verb === undefined) this.#result += "%!(NOVERB)";
    else if (verb === "%") this.#result += "%";
    else if (!this.#hasArgument) this.#result += `%!${verb}(BADINDEX)`;
    else if (this.#arg >= this.#args.length) this.#result += `%!${verb}(MISSING)`;
    else {
      this.#result += printArg(this.#args[this.#arg], verb, flags);
      this.#arg++;
    }
  }

  #withWidth(flags: Flags): Flags {
    const width = this.#intArgument();
    if (width === undefined) {
      this.#result += "%!(BADWIDTH)";
      return flags;
    }
    return width < 0 ? { ...flags, width: -width, minus: true, zero: false } : { ...flags, width };
  }

  #withPrecision(flags: Flags): Flags {
    const precision = this.#intArgument();
    if (precision !== undefined && precision >= 0) return { ...flags, precision };
    this.#result += "%!(BADPREC)";
    return flags;
  }

  #intArgument(): number | undefined {
    const arg = this.#args[this.#arg];
    if (this.#arg < this.#args.length) this.#arg++;
    if (!(arg instanceof GoInt)) return undefined;
    const value = arg.toNumber();
    return Math.abs(value) > largest ? undefined : value;
  }

  /** Makes the argument of this number the next one. */
  #goTo(number: ArgumentNumber | undefined): void {
    if (number === undefined) return;
    this.#reordered = true;
    if (number !== "bad" && number >= 0 && number < this.#args.length) this.#arg = number;
    else this.#hasArgument = false;
  }

  #extra(): string {
    const items = this.#args
      .slice(this.#arg)
      .map((arg) => (arg === undefined || arg === null ? "<nil>" : `${typeName(arg)}=${printArg(arg, "v", noFlags)}`));
    return `%!(EXTRA ${items.join(", ")})`;
  }
}
