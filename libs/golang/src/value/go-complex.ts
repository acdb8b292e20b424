import { GoObject } from "./value.ts";

/** A complex128: templates can write it, and do nothing with it but print and compare. */
export class GoComplex extends GoObject {
  readonly typeName = "complex128";
  override readonly goKind = "complex128";
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    super();
    this.real = real;
    this.imaginary = imaginary;
  }

  get isZero(): boolean {
    return this.real === 0 && this.imaginary === 0;
  }

  override isEqual(other: GoObject): boolean {
    return other instanceof GoComplex && other.real === this.real && other.imaginary === this.imaginary;
  }

  override toJSON(): never {
    throw new RangeError("json: unsupported type: complex128");
  }
}
