/** The characters of a text by their index: the text itself where each is one code unit. */
export type Characters = ArrayLike<string>;

/** The characters of a text. */
export function charactersOf(text: string): Characters {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}
