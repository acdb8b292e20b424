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
  /** An integer type with a name and methods of its own, such as time.Duration. */
  readonly named: NamedInt | undefined;
  /** The exact value if a number is too small for it; numbers are much faster than bigints, and nearly always do. */
  readonly wide: bigint | undefined;
  /** The nearest float64. */
  private readonly number: number;

  /** A number must be a safe integer. */
  constructor(kind: IntKind, value: bigint | number, named?: NamedInt) {
    this.kind = kind;
    this.named = named;
    // The sum has no negative zero.
    this.number = Number(value) + 0;
    this.wide = typeof value === "number" || Number.isSafeInteger(this.number) ? undefined : value;
  }

  get value(): bigint {
    return this.wide ?? BigInt(this.number);
  }

  /** The nearest float64; exact below 2^53. */
  toNumber(): number {
    return this.number;
  }

  /** The decimal digits. */
  toString(): string {
    return this.wide === undefined ? String(this.number) : this.wide.toString();
  }

  isSameNumber(other: GoInt): boolean {
    return this.number === other.number && this.wide === other.wide;
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

/** Integers that templates often use, each created at its first use. */
const cached: Readonly<Record<"int" | "int64", GoInt[]>> = { int: [], int64: [] };
const maxCached = 1023;

function signed(kind: "int" | "int64", value: number | bigint): GoInt {
  if (typeof value === "bigint" || !Number.isSafeInteger(value)) {
    return new GoInt(kind, BigInt.asIntN(64, BigInt(value)));
  }
  return value >= 0 && value <= maxCached ? (cached[kind][value] ??= new GoInt(kind, value)) : new GoInt(kind, value);
}

/** A Go `int`. Numbers must be integral. */
export function int(value: number | bigint): GoInt {
  return signed("int", value);
}

/** A Go `int64`. Numbers must be integral. */
export function int64(value: number | bigint): GoInt {
  return signed("int64", value);
}
