import type { Source } from "./source.ts";

/** Longer texts are not kept. */
const maxText = 500_000;
/** Characters of all texts that are kept together; their sources take about twenty times as many bytes. */
const maxTotal = 2_000_000;

/** Sources of documents by their text: they hold no values of any run. The text that was not asked for longest goes first. */
export class SourceCache {
  readonly #sources = new Map<string, Source>();
  #total = 0;

  get(text: string): Source | undefined {
    const source = this.#sources.get(text);
    if (source === undefined) return undefined;
    this.#sources.delete(text);
    this.#sources.set(text, source);
    return source;
  }

  set(text: string, source: Source): void {
    if (text.length > maxText) return;
    this.#sources.set(text, source);
    this.#total += text.length;
    for (const oldest of this.#sources.keys()) {
      if (this.#total <= maxTotal) return;
      this.#sources.delete(oldest);
      this.#total -= oldest.length;
    }
  }
}
