/**
 * Returns a short text that none of the texts contains: `start` itself, or `start`, a number and "-". `start` has no
 * character with a meaning in regular expressions. Takes linear time, even if the texts repeat `start`.
 */
export function unusedMark(start: string, texts: readonly string[]): string {
  if (!texts.some((text) => text.includes(start))) return start;
  const pattern = new RegExp(String.raw`${start}(\d+)(?=-)`, "g");
  const used = new Set<string>();
  for (const text of texts) for (const [, number = ""] of text.matchAll(pattern)) used.add(number);
  let number = 0;
  while (used.has(`${number}`)) number += 1;
  return `${start}${number}-`;
}
