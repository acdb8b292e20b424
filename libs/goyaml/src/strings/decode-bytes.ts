/** UTF-8 as text; `replace` gives what stands for a byte that is none. */
export function decodeBytes(bytes: Buffer, replace: (byte: number) => string): string {
  const text = bytes.toString("utf8");
  if (!text.includes("\ufffd")) return text;
  let result = "";
  for (let i = 0; i < bytes.length;) {
    const width = [1, 2, 3, 4].find((length) => isCharacter(bytes.subarray(i, i + length)));
    result += width === undefined ? replace(bytes[i] ?? 0) : bytes.toString("utf8", i, i + width);
    i += width ?? 1;
  }
  return result;
}

function isCharacter(bytes: Buffer): boolean {
  const text = bytes.toString("utf8");
  return Array.from(text).length === 1 && Buffer.from(text, "utf8").equals(bytes);
}
