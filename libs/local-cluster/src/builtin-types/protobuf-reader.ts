/** One field of a protobuf message on the wire: exactly one of the values is set, by its wire type. */
export interface WireField {
  readonly number: number;
  readonly varint?: bigint;
  readonly bytes?: Buffer;
  readonly double?: number;
}

/** Splits a protobuf message into its fields. Throws RangeError for a message that is cut. */
export function readFields(message: Buffer): readonly WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      if (shift > 63n) throw new RangeError("protobuf: varint is too long");
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError("protobuf: unexpected end of message");
    const bytes = message.subarray(at, at + length);
    at += length;
    return bytes;
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        fields.push({ number, varint: varint() });
        break;
      case 1:
        fields.push({ number, double: take(8).readDoubleLE() });
        break;
      case 2:
        fields.push({ number, bytes: take(Number(varint())) });
        break;
      case 5:
        take(4);
        break;
      default:
        throw new RangeError(`protobuf: wire type ${tag & 7} is not supported`);
    }
  }
  return fields;
}
