import { failLocally, quoting } from "../../evaluate/failure.ts";
import type { MapValue, Value } from "../../value/value.ts";

/** The fields of the specification of a certificate, with the conversions and messages of the original. */
export class CertificateFields {
  readonly #fields: MapValue;

  constructor(fields: MapValue) {
    this.#fields = fields;
  }

  #value(name: string): Value {
    return this.#fields.cells.get(name)?.value ?? null;
  }

  /** A string, int or bool as text; "" when absent. */
  text(name: string): string {
    const value = this.#value(name);
    return value === null ? "" : (textOf(value) ?? failLocally(`invalid type for "${name}"`));
  }

  /** A list of strings, ints and bools, or one of them. */
  texts(name: string): string[] {
    const value = this.#value(name);
    if (value === null) return [];
    const items = typeof value === "object" && value.kind === "list" ? value.items.map((item) => item.value) : [value];
    return items.map((item) => textOf(item) ?? failLocally(`field "${name}" is required`));
  }

  /** An int, or text of one. */
  integer(name: string, fallback: bigint): bigint {
    const value = this.#value(name);
    if (value === null) return fallback;
    if (typeof value === "bigint") return value;
    if (typeof value !== "string") return failLocally(`invalid type for "${name}"`);
    return /^[+-]?[0-9]+$/.test(value)
      ? BigInt(value)
      : failLocally(quoting`strconv.ParseInt: parsing "${value}": invalid syntax`);
  }

  flag(name: string): boolean {
    const value = this.#value(name);
    if (value === null) return false;
    if (typeof value === "boolean") return value;
    if (typeof value === "bigint") return value !== 0n;
    if (typeof value !== "string") return failLocally(`invalid type for boolean field "${name}"`);
    if (/^(?:1|t|T|true|TRUE|True)$/.test(value)) return true;
    return /^(?:0|f|F|false|FALSE|False)$/.test(value)
      ? false
      : failLocally(quoting`strconv.ParseBool: parsing "${value}": invalid syntax`);
  }
}

function textOf(value: Value): string | undefined {
  const isText = typeof value === "string" || typeof value === "bigint" || typeof value === "boolean";
  return isText ? String(value) : undefined;
}
