import { X509Error } from "./x509-error.ts";

/** One DER value. */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length. */
  readonly raw: Buffer;
}

/** The values in a row of DER bytes. Throws X509Error when lengths do not fit. */
export function readAll(der: Buffer): Element[] {
  const elements: Element[] = [];
  for (let rest = der; rest.length > 0;) {
    const element = readElement(rest);
    elements.push(element);
    rest = rest.subarray(element.raw.length);
  }
  return elements;
}

function readElement(der: Buffer): Element {
  const [tag = 0, first = 0] = der;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (der.length < 2 + lengthBytes || first === 0x80 || lengthBytes > 4) throw malformed();
  const size = lengthBytes === 0 ? first : der.readUIntBE(2, lengthBytes);
  const start = 2 + lengthBytes;
  if (size > der.length - start) throw malformed();
  return { tag, content: der.subarray(start, start + size), raw: der.subarray(0, start + size) };
}

/** The items of a sequence, which must be all there is. */
export function readSequence(der: Buffer): Element[] {
  const [outer, ...more] = readAll(der);
  if (outer?.tag !== 0x30 || more.length > 0) throw malformed();
  return readAll(outer.content);
}

/** The item at an index, of a tag. */
export function expectElement(elements: readonly Element[], index: number, tag: number): Element {
  const element = elements[index];
  if (element?.tag !== tag) throw malformed();
  return element;
}

/** "2.5.4.3" */
export function readObjectId(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...rest].join(".");
}

function malformed(): X509Error {
  return new X509Error("asn1: syntax error: malformed DER");
}
