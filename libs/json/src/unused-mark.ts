/**
 * Returns a mark of bounded length that none of the texts contains. It is random: a text that contains every fixed mark would cost quadratic time, and a
 * mark that grows with the text would be copied for each marked place.
 */
export function unusedMark(texts: readonly string[], random: () => number = Math.random): string {
  for (;;) {
    const mark = `\u007f${random().toString(36).slice(2)}-`;
    if (texts.every((text) => !text.includes(mark))) return mark;
  }
}
