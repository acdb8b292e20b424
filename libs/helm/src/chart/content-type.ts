/** How texts may begin, behind white space, with what they are. */
const texts: readonly (readonly [start: RegExp, type: string])[] = [
  [/^[\t\n\f\r ]*<\?xml/, "text/xml; charset=utf-8"],
  [
    /^[\t\n\f\r ]*<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i,
    "text/html; charset=utf-8",
  ],
];

/** First bytes as hex. */
const signatures: Readonly<Record<string, string>> = {
  "255044462d": "application/pdf",
  "252150532d41646f62652d": "application/postscript",
  feff: "text/plain; charset=utf-16be",
  fffe: "text/plain; charset=utf-16le",
  efbbbf: "text/plain; charset=utf-8",
  "504b0304": "application/zip",
  "89504e470d0a1a0a": "image/png",
  ffd8ff: "image/jpeg",
  "474946383761": "image/gif",
  "474946383961": "image/gif",
};

const looked = 512;

/** What a file seems to be, as net/http's DetectContentType has it of its first 512 bytes; shorter files are filled with zeros. */
export function contentTypeOf(data: Uint8Array): string {
  const start = Buffer.alloc(looked);
  start.set(data.subarray(0, looked));
  const text = start.toString("latin1");
  const known = texts.find(([pattern]) => pattern.test(text));
  if (known !== undefined) return known[1];
  const hex = start.toString("hex");
  const signature = Object.keys(signatures).find((bytes) => hex.startsWith(bytes));
  const type = signature === undefined ? undefined : signatures[signature];
  return type ?? (start.some(isBinary) ? "application/octet-stream" : "text/plain; charset=utf-8");
}

function isBinary(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}
