const escapes: Readonly<Record<string, string>> = {
  "\t": String.raw`\t`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\b": String.raw`\b`,
  "\f": String.raw`\f`,
  '"': String.raw`\"`,
  "\\": "\\\\",
};

/** A basic string with its escapes. */
export function tomlString(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is escaped
  return `"${text.replace(/["\\\u0000-\u001f\u007f]/g, escapeChar)}"`;
}

function escapeChar(char: string): string {
  return escapes[char] ?? String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A key, quoted unless it is a bare word. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key);
}
