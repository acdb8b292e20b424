import { decodeUtf8 } from "@landscaper/golang";
import { ChartError } from "./chart-error.ts";

/** An archive, which may be cut off: then it has to have its end before that. */
export interface TarBytes {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** An entry of a tar archive; those that only tell of others are none. */
export interface TarEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** What the header says; links, devices and folders have no content whatever that is. */
  readonly size: number;
  /** Throws ChartError when the archive ends before. */
  readonly content: () => Buffer;
}

const blockBytes = 512;

/** The kinds of entries, by the byte that stands for them. */
const kinds = { folder: "5", extended: "x", global: "g", longName: "L", longLink: "K" } as const;

/** A file with holes, a form of GNU that is not read here. */
const sparse = "S";

/** Where numbers are in a header, and which formats have them. */
const numberFields = {
  mode: [100, 108],
  uid: [108, 116],
  gid: [116, 124],
  size: [124, 136],
  time: [136, 148],
} as const;
const deviceFields = [
  [329, 337],
  [337, 345],
] as const;

/**
 * The entries of an archive in ustar, its extended or GNU's form, or the oldest one, with the rules of archive/tar: it ends with two
 * blocks of zeros or with its last block. Throws ChartError with Go's message for a header that is none, and for what is cut off.
 */
export function* readTar({ bytes: tar, isCut }: TarBytes): Generator<TarEntry> {
  let at = 0;
  let told: Partial<Pick<TarEntry, "name" | "size">> = {};
  while (!isEnd(tar, at, isCut)) {
    const header = readHeader(tar.subarray(at, at + blockBytes));
    const start = at + blockBytes;
    const size = told.size ?? header.size;
    const name = told.name === undefined || told.name === "" ? header.name : told.name;
    const isOldFolder = header.kind === "\0" && name.endsWith("/");
    const end = start + (isOldFolder || isHeaderOnly(header.kind) ? 0 : size);
    const content = (): Buffer => {
      if (end > tar.length) throw new ChartError("unexpected EOF");
      return tar.subarray(start, end);
    };
    at = Math.ceil(end / blockBytes) * blockBytes;
    if (header.kind === kinds.extended) told = { ...told, ...readRecords(content()) };
    else if (header.kind === kinds.longName) told = { ...told, name: textOf(content()) };
    else if (header.kind === kinds.global) readRecords(content());
    else if (header.kind !== kinds.longLink) {
      yield { name, size, content, isFolder: header.isFolder || isOldFolder };
      told = {};
    }
    // What follows is not there, but for the zeros that fill a block.
    if (at > tar.length) content();
  }
}

function isEnd(tar: Buffer, at: number, isCut: boolean): boolean {
  const second = at + blockBytes;
  const isOver = at >= tar.length || (second === tar.length && isZero(tar, at));
  if (isOver && isCut) throw new ChartError("unexpected EOF");
  if (isOver) return true;
  if (!isZero(tar, at)) return false;
  if (isZero(tar, second)) return true;
  throw second + blockBytes > tar.length ? new ChartError("unexpected EOF") : wrongHeader();
}

function isZero(tar: Buffer, at: number): boolean {
  return at + blockBytes <= tar.length && tar.subarray(at, at + blockBytes).every((byte) => byte === 0);
}

interface Header {
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  readonly isFolder: boolean;
}

function readHeader(block: Buffer): Header {
  if (block.length < blockBytes) throw new ChartError("unexpected EOF");
  if (!hasChecksum(block)) throw wrongHeader();
  const magic = block.toString("latin1", 257, 265);
  const isUstar = magic.startsWith("ustar\0");
  const numbers = Object.values(numberFields).map(([from, to]) => numberOf(block.subarray(from, to)));
  if (isUstar || magic === "ustar  \0") for (const [from, to] of deviceFields) numberOf(block.subarray(from, to));
  const [mode = 0, , , size = 0] = numbers;
  if (size < 0) throw wrongHeader();
  const kind = block.toString("latin1", 156, 157);
  if (kind === sparse) throw wrongHeader();
  const prefix = isUstar ? textOf(block.subarray(345, 500)) : "";
  const own = textOf(block.subarray(0, 100));
  const isFolder = kind === kinds.folder || (mode & 0o170_000) === 0o40_000;
  return { name: prefix === "" ? own : `${prefix}/${own}`, kind, size, isFolder };
}

/** Links, devices and folders. */
function isHeaderOnly(kind: string): boolean {
  return /^[1-6]$/.test(kind);
}

/** The sum of all bytes, the field of the sum itself as spaces; old programs added signed bytes. */
function hasChecksum(block: Buffer): boolean {
  const wanted = numberOf(block.subarray(148, 156), true);
  let unsigned = 0;
  let signed = 0;
  for (const [at, own] of block.entries()) {
    const byte = at >= 148 && at < 156 ? 0x20 : own;
    unsigned += byte;
    signed += byte > 0x7f ? byte - 0x100 : byte;
  }
  return wanted === unsigned || wanted === signed;
}

/** An octal number with spaces and zeros around it, or a binary one, which its first bit tells. */
function numberOf(field: Buffer, isOctal = false): number {
  const [first = 0] = field;
  if (!isOctal && first >= 0x80) return binaryOf(field);
  const text = field.toString("latin1").replace(/^[ \0]+/, "");
  const digits = text.replace(/\0.*$/s, "").replace(/ +$/, "");
  if (digits === "") return 0;
  if (!/^[0-7]+$/.test(digits)) throw wrongHeader();
  return Number.parseInt(digits, 8);
}

function binaryOf(field: Buffer): number {
  const [first = 0] = field;
  const isNegative = (first & 0x40) !== 0;
  const bits = BigInt(field.length * 8 - 1);
  const value = BigInt.asUintN(Number(bits), BigInt(`0x${field.toString("hex")}`));
  const signed = isNegative ? value - (1n << bits) : value;
  if (BigInt.asIntN(64, signed) !== signed) throw wrongHeader();
  return Number(signed);
}

/** The records "LENGTH KEY=VALUE\n" of an extended header. */
function readRecords(content: Buffer): Partial<Pick<TarEntry, "name" | "size">> {
  let told: Partial<Pick<TarEntry, "name" | "size">> = {};
  for (let at = 0; at < content.length;) {
    const [length = ""] = /^[0-9]+(?= )/.exec(content.toString("latin1", at, at + 20)) ?? [];
    const end = at + Number(length);
    const record = content.subarray(at + length.length + 1, end - 1);
    const equals = record.indexOf("=");
    if (length === "" || end > content.length || content[end - 1] !== 0x0a || equals < 1) throw wrongHeader();
    const key = record.toString("latin1", 0, equals);
    const value = record.subarray(equals + 1);
    if (key === "path" && value.includes(0)) throw wrongHeader();
    if (key === "path") told = { ...told, name: decodeUtf8(value) };
    else if (key === "size" && value.length > 0) told = { ...told, size: sizeOf(value.toString("latin1")) };
    at = end;
  }
  return told;
}

function sizeOf(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw wrongHeader();
  return Number(text);
}

/** The bytes up to a zero, as text. */
function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return decodeUtf8(end < 0 ? field : field.subarray(0, end));
}

function wrongHeader(): ChartError {
  return new ChartError("archive/tar: invalid tar header");
}
