/** Go's integer types that reach templates. */
export type IntKind = "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32" | "uint64";

const bitsOf: Readonly<Record<IntKind, number>> = {
  int: 64,
  int8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  uint: 64,
  uint8: 8,
  uint16: 16,
  uint32: 32,
  uint64: 64,
};

/** A Go integer: the type matters to templates (`eq 1 1.0` is an error, `%T` prints it), so numbers alone do not do. */
export class GoInt {
  readonly kind: IntKind;
  readonly value: bigint;
  /** An integer type with a name and methods of its own, such as time.Duration. */
  readonly named: NamedInt | undefined;

  constructor(kind: IntKind, value: bigint, named?: NamedInt) {
    this.kind = kind;
    this.value = value;
    this.named = named;
  }

  /** The nearest float64; exact below 2^53. */
  toNumber(): number {
    return Number(this.value);
  }

  /** Marshalled to JSON as a number; YAML and JSON writers take bigint. */
  toJSON(): bigint {
    return this.value;
  }
}

/** Name and text form of a named integer type. */
export interface NamedInt {
  readonly typeName: string;
  format(value: bigint): string;
  methods: Readonly<Record<string, (value: bigint) => unknown>>;
}

export function isUnsigned(kind: IntKind): boolean {
  return kind.startsWith("u");
}

/** Wraps around as Go's fixed-size arithmetic does. */
export function wrapInt(kind: IntKind, value: bigint): bigint {
  const bits = bitsOf[kind];
  return isUnsigned(kind) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
}

/** A Go `int`. Numbers must be integral. */
export function int(value: number | bigint): GoInt {
  return new GoInt("int", BigInt.asIntN(64, BigInt(value)));
}

/** A Go `int64`. Numbers must be integral. */
export function int64(value: number | bigint): GoInt {
  return new GoInt("int64", BigInt.asIntN(64, BigInt(value)));
}
