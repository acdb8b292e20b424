/** A key of one character that is escaped, such as `"\n":` or `"\u003c":`, or the end of a longer key. */
const escapedKeys = /"\\(?:u[0-9a-fA-F]{4}|[^u])"[ \t\r\n]*:/g;

/**
 * The value of a JSON text, as JSON.parse gives it. Throws what JSON.parse throws.
 *
 * JSON.parse of Node 24 and 26 (nodejs/node issue 63785) reads an escaped key of one character as a backslash if the
 * process has made an object with the key `\` after the same other keys before. So it never reads such keys here.
 */
export function parseJson(text: string): unknown {
  if (!text.includes('"\\')) return JSON.parse(text) as unknown;
  const suffix = unusedSuffix(text);
  const readable = text.replace(escapedKeys, (key) => {
    const end = key.lastIndexOf('"');
    return `${key.slice(0, end)}${suffix}${key.slice(end)}`;
  });
  if (readable.length === text.length) return JSON.parse(text) as unknown;
  let value: unknown;
  try {
    value = JSON.parse(readable);
  } catch {
    return JSON.parse(text); // for the positions in its message
  }
  return withoutSuffix(value, suffix);
}

function unusedSuffix(text: string): string {
  let suffix = "-key";
  while (text.includes(suffix)) suffix += "y";
  return suffix;
}

function withoutSuffix(value: unknown, suffix: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSuffix(item, suffix));
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key.endsWith(suffix) ? key.slice(0, -suffix.length) : key,
    withoutSuffix(item, suffix),
  ]);
  return Object.fromEntries(entries);
}
