import { encodeUtf8 } from "@landscaper/golang";

export interface TarFile {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly content: Uint8Array;
}

const block = 512;

/** A tar archive (POSIX ustar) of plain files, all with time 0 and without an owner; long or foreign paths get a pax header. */
export function writeTar(files: readonly TarFile[]): Uint8Array {
  const parts = files.flatMap(entryOf);
  return Buffer.concat([...parts, new Uint8Array(2 * block)]);
}

interface Header {
  readonly name: Uint8Array;
  readonly prefix: Uint8Array;
  readonly mode: number;
  readonly size: number;
  /** "0" for a file, "x" for a pax header. */
  readonly type: "0" | "x";
}

function entryOf({ path, mode, content }: TarFile): Uint8Array[] {
  const split = splitPath(path);
  const { name, prefix } = split ?? {
    name: encodeUtf8(path.replaceAll(/[^ -~]/g, "") || "file").subarray(0, 100),
    prefix: none,
  };
  const pax = split === undefined ? paxHeader(path) : [];
  return [...pax, headerBlock({ name, prefix, mode, size: content.length, type: "0" }), content, padding(content)];
}

const none = new Uint8Array();

/** A path as name and prefix, where the format can hold it without a pax header. */
function splitPath(path: string): { name: Uint8Array; prefix: Uint8Array } | undefined {
  if (/[^ -~]/.test(path)) return undefined;
  if (path.length <= 100) return { name: encodeUtf8(path), prefix: none };
  const slash = path.lastIndexOf("/", 155);
  if (slash <= 0 || path.length - slash - 1 > 100 || slash === path.length - 1) return undefined;
  return { name: encodeUtf8(path.slice(slash + 1)), prefix: encodeUtf8(path.slice(0, slash)) };
}

/** A record with the length of itself, as decimal text, in front. */
function paxHeader(path: string): Uint8Array[] {
  const rest = encodeUtf8(` path=${path}\n`);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  const content = Buffer.concat([encodeUtf8(String(length)), rest]);
  const name = encodeUtf8("PaxHeaders.0/file");
  return [headerBlock({ name, prefix: none, mode: 0, size: content.length, type: "x" }), content, padding(content)];
}

function padding(content: Uint8Array): Uint8Array {
  return new Uint8Array((block - (content.length % block)) % block);
}

function headerBlock({ name, prefix, mode, size, type }: Header): Uint8Array {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  header.set(name, 0);
  header.write(octal(mode, 7), 100, "latin1");
  header.write(octal(0, 7), 108, "latin1");
  header.write(octal(0, 7), 116, "latin1");
  header.write(octal(size, 11), 124, "latin1");
  header.write(octal(0, 11), 136, "latin1");
  header.write("        ", 148, "latin1");
  header.write(type, 156, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  // No device.
  header.write(octal(0, 7), 329, "latin1");
  header.write(octal(0, 7), 337, "latin1");
  header.set(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}
