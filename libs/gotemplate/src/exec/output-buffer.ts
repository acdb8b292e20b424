/** Pieces that are put together at a time: longer chains of small texts would take many times their memory. */
const piecesPerChunk = 1024;

/** Text that grows by small pieces. */
export class OutputBuffer {
  length = 0;
  readonly #chunks: string[] = [];
  #pieces: string[] = [];

  write(text: string): void {
    this.length += text.length;
    this.#pieces.push(text);
    if (this.#pieces.length < piecesPerChunk) return;
    this.#chunks.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  get text(): string {
    const rest = this.#pieces.join("");
    return this.#chunks.length === 0 ? rest : this.#chunks.join("") + rest;
  }
}
