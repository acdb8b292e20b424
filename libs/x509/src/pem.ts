/** A block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** "CERTIFICATE", "RSA PRIVATE KEY" and so on. */
  readonly type: string;
  /** "Proc-Type" and the like, which stand before the content. */
  readonly headers: Readonly<Record<string, string>>;
  readonly der: Buffer;
}

const begin = "-----BEGIN ";
const ending = "\n-----END ";
const dashes = "-----";

/** A block of a PEM text; an empty line follows its headers. */
export function encodePem(type: string, der: Uint8Array, headers: Readonly<Record<string, string>> = {}): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (head.length > 0) head.push("");
  return [`${begin}${type}${dashes}`, ...head, ...lines, `-----END ${type}${dashes}`, ""].join("\n");
}

/** The first block of a text, or undefined. Text around it is skipped. */
export function decodePem(text: string): PemBlock | undefined {
  return decodePemBlocks(text).next().value;
}

/** All blocks of a text, in their order. What is none, or cannot be read, is skipped. */
export function* decodePemBlocks(text: string): Generator<PemBlock, undefined> {
  let position = 0;
  for (let end = text.indexOf(ending); end >= 0; end = text.indexOf(ending, end + 1)) {
    // With the line break before the end, which the content of an empty block begins with.
    const block = decodeBlock(text.slice(position, end + 1), text.slice(end + ending.length, end + 200));
    if (block !== undefined) yield block;
    position = end + 1;
  }
  return undefined;
}

/** `before` is the text before the last line, `label` what stands in that line after the END. */
function decodeBlock(before: string, label: string): PemBlock | undefined {
  const start = before.lastIndexOf(begin);
  const lineEnd = before.indexOf("\n", start);
  if (start < 0 || lineEnd < 0 || (start > 0 && before[start - 1] !== "\n")) return undefined;
  const type = before
    .slice(start + begin.length, lineEnd)
    .trimEnd()
    .slice(0, -dashes.length);
  if (!label.startsWith(`${type}${dashes}`) || !before.slice(0, lineEnd).trimEnd().endsWith(dashes)) return undefined;
  const content = decodeBody(before.slice(lineEnd + 1));
  return content === undefined ? undefined : { type, ...content };
}

function decodeBody(body: string): Pick<PemBlock, "headers" | "der"> | undefined {
  const lines = body.split("\n");
  const count = Math.max(
    lines.findIndex((line) => !line.includes(":")),
    0,
  );
  const base64 = lines.slice(count).join("").replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  const headers = lines.slice(0, count).map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  return { headers: Object.fromEntries(headers), der: Buffer.from(base64, "base64") };
}
