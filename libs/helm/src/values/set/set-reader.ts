import { isUnicodeSpace } from "@landscaper/golang";

/** What stands before one of the characters that end a part; `end` is "" where the text ended first. */
export interface Part {
  readonly text: string;
  readonly end: string;
}

/** Reads the text of a --set flag. All characters that mean something are ASCII, so that code units do. */
export class SetReader {
  readonly #text: string;
  #i = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#i >= this.#text.length;
  }

  /** Reads a character if it is the next one. */
  take(character: string): boolean {
    if (this.#text[this.#i] !== character) return false;
    this.#i++;
    return true;
  }

  /** Up to one of the characters, which is read as well. A backslash makes any character an ordinary one if `escapes`. */
  until(ends: string, escapes: boolean): Part {
    let text = "";
    while (!this.isAtEnd) {
      const character = this.#text.charAt(this.#i++);
      if (ends.includes(character)) return { text, end: character };
      if (escapes && character === "\\") text += this.#text.charAt(this.#i++);
      else text += character;
    }
    return { text, end: "" };
  }

  skipSpaces(): void {
    while (!this.isAtEnd && isUnicodeSpace(this.#text.charAt(this.#i))) this.#i++;
  }

  rest(): string {
    return this.#text.slice(this.#i);
  }

  skip(length: number): void {
    this.#i += length;
  }
}
