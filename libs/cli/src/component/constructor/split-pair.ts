/** Splits `NAME=VALUE`; undefined without a name or without an equals sign. */
export function splitPair(word: string): readonly [name: string, value: string] | undefined {
  const at = word.indexOf("=");
  return at > 0 ? [word.slice(0, at), word.slice(at + 1)] : undefined;
}
