/** Text of one line, broken into lines of `width` characters; one line for a width below 1. */
export function wrapLines(text: string, width: number): string {
  if (width < 1 || text.length <= width) return text;
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += width) lines.push(text.slice(start, start + width));
  return lines.join("\n");
}
