/** Matches of at least this length are masked wherever they are, shorter ones as whole words only. */
export const minInnerLength = 8;

/** Characters of texts that occur in the messages, beyond as many as the messages have: more, and they are replaced as a whole. */
const maxCharacters = 100_000;

export interface MaskOptions {
  readonly mask: string;
  readonly shownLength?: number | undefined;
  /** With flag g. A text within a match is not masked. */
  readonly fixed?: RegExp | undefined;
}

interface Interval {
  readonly start: number;
  end: number;
}

/**
 * Replaces every occurrence of the texts in the messages by `mask`, texts that overlap by one, in time linear in the lengths of all of them.
 * Texts of fewer than 8 characters count as whole words only. Texts have at least 4 characters. Of each message, `shownLength` characters are
 * given back, masked by what the whole message says.
 */
export function maskTexts(messages: readonly string[], texts: Iterable<string>, options: MaskOptions): string[] {
  return atOnce(maskInParts(messages, texts, options));
}

/** Work that can be left between its parts, each of which takes less than some milliseconds. */
export type InParts<T> = Generator<undefined, T>;

export function atOnce<T>(parts: InParts<T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}

const charactersPerPart = 16_384;
/** What a text costs beside its characters, in characters. */
const costOfText = 64;

/** The same in parts, so that others can have a turn between them. */
export function* maskInParts(
  messages: readonly string[],
  texts: Iterable<string>,
  { mask, shownLength, fixed }: MaskOptions,
): InParts<string[]> {
  const parts = new PartFilter(messages);
  yield* parts.fill(messages);
  const maxSize = maxCharacters + parts.length;
  const trie = new TextTrie();
  let cost = 0;
  for (const text of texts) {
    cost += text.length + costOfText;
    if (cost > charactersPerPart) {
      cost = 0;
      yield;
    }
    if (!parts.mayContain(text)) continue;
    trie.add(text);
    // What cannot be looked for must not be shown.
    if (trie.size > maxSize) return messages.map(() => mask);
  }
  if (trie.isEmpty) return messages.map((message) => message.slice(0, shownLength));
  yield* trie.link();
  const masked: string[] = [];
  let characters = 0;
  for (const message of messages) {
    const found = yield* trie.find(message);
    const intervals = fixed === undefined ? found : outsideOf(message, fixed, found);
    masked.push(replace(message.slice(0, shownLength), intervals, mask));
    characters += message.length + costOfText;
    if (characters > charactersPerPart) {
      characters = 0;
      yield;
    }
  }
  return masked;
}

/** Tells at once that most texts do not occur in the messages: some four characters of theirs do not. */
class PartFilter {
  readonly #bits: Uint8Array;
  readonly #mask: number;
  /** Of all messages. */
  readonly length: number;

  constructor(messages: readonly string[]) {
    this.length = messages.reduce((sum, message) => sum + message.length, 0);
    const size = 2 ** Math.ceil(Math.log2(Math.max(1024, this.length * 8)));
    this.#bits = new Uint8Array(size / 8);
    this.#mask = size - 1;
  }

  *fill(messages: readonly string[]): InParts<void> {
    let cost = 0;
    for (const message of messages) {
      for (let at = 0; at < message.length; at += charactersPerPart) {
        this.#add(message, at);
        cost += Math.min(charactersPerPart, message.length - at) + costOfText;
        if (cost > charactersPerPart) {
          cost = 0;
          yield;
        }
      }
    }
  }

  /** A part of a message. */
  #add(message: string, from: number): void {
    const end = Math.min(message.length - 4, from + charactersPerPart - 1);
    for (let i = from; i <= end; i++) {
      const hash = this.#hashAt(message, i);
      this.#bits[hash >> 3] = (this.#bits[hash >> 3] ?? 0) | (1 << (hash & 7));
    }
  }

  mayContain(text: string): boolean {
    for (let i = 0; i + 4 <= text.length; i++) {
      const hash = this.#hashAt(text, i);
      if (((this.#bits[hash >> 3] ?? 0) & (1 << (hash & 7))) === 0) return false;
    }
    return true;
  }

  #hashAt(text: string, at: number): number {
    let hash = 0;
    for (let i = at; i < at + 4; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1);
    return (hash ^ (hash >>> 15)) & this.#mask;
  }
}

/** The texts as a tree of their characters, with a link from each node to the longest other beginning that ends there (Aho-Corasick). */
class TextTrie {
  /** Child by node and character. */
  readonly #children = new Map<number, number>();
  readonly #parents = [0];
  readonly #codes = [0];
  readonly #depths = [0];
  readonly #links = [0];
  /** The longest text of at least `minInnerLength` that ends at a node. */
  readonly #longest = [0];
  /** Bits by length of the shorter ones. */
  readonly #short = [0];

  get size(): number {
    return this.#parents.length;
  }

  get isEmpty(): boolean {
    return this.size === 1;
  }

  add(text: string): void {
    let node = 0;
    for (let i = 0; i < text.length; i++)
      node = this.#childOf(node, text.charCodeAt(i)) ?? this.#addChild(node, text.charCodeAt(i));
    if (text.length >= minInnerLength) this.#longest[node] = text.length;
    else this.#short[node] = 1 << text.length;
  }

  /** After `link`. */
  *find(message: string): InParts<Interval[]> {
    const long: Interval[] = [];
    const words: Interval[] = [];
    let node = 0;
    for (let i = 0; i < message.length; i++) {
      if (i % charactersPerPart === charactersPerPart - 1) yield;
      node = this.#next(node, message.charCodeAt(i));
      const length = this.#longest[node] ?? 0;
      if (length > 0) push(long, { start: i + 1 - length, end: i + 1 });
      const short = this.#short[node] ?? 0;
      for (let l = 1; short >> l > 0; l++) if (((short >> l) & 1) === 1) words.push({ start: i + 1 - l, end: i + 1 });
    }
    return words.length === 0 ? long : withWords(message, long, words);
  }

  #childOf(node: number, code: number): number | undefined {
    return this.#children.get(node * 0x1_0000 + code);
  }

  #addChild(node: number, code: number): number {
    const child = this.size;
    this.#children.set(node * 0x1_0000 + code, child);
    this.#parents.push(node);
    this.#codes.push(code);
    this.#depths.push((this.#depths[node] ?? 0) + 1);
    this.#links.push(0);
    this.#longest.push(0);
    this.#short.push(0);
    return child;
  }

  /** From the root downwards: links lead to nodes that are nearer to it. */
  *link(): InParts<void> {
    const levels: number[][] = [];
    for (const [node, depth] of this.#depths.entries()) {
      if (node % charactersPerPart === 0) yield;
      const level = levels[depth];
      if (level === undefined) levels[depth] = [node];
      else level.push(node);
    }
    for (const [index, node] of levels.flat().entries()) {
      if (index % charactersPerPart === 0) yield;
      const parent = this.#parents[node] ?? 0;
      if (node === 0) continue;
      const link = parent === 0 ? 0 : this.#next(this.#links[parent] ?? 0, this.#codes[node] ?? 0);
      this.#links[node] = link;
      this.#longest[node] = Math.max(this.#longest[node] ?? 0, this.#longest[link] ?? 0);
      this.#short[node] = (this.#short[node] ?? 0) | (this.#short[link] ?? 0);
    }
  }

  #next(from: number, code: number): number {
    let node = from;
    for (;;) {
      const child = this.#childOf(node, code);
      if (child !== undefined) return child;
      if (node === 0) return 0;
      node = this.#links[node] ?? 0;
    }
  }
}

/** Adds an interval that ends last; those that it overlaps become one with it. */
function push(intervals: Interval[], { start, end }: Interval): void {
  let first = start;
  for (let last = intervals.at(-1); last !== undefined && last.end > start; last = intervals.at(-1)) {
    first = Math.min(first, last.start);
    intervals.pop();
  }
  intervals.push({ start: first, end });
}

const wordCharacter = /[A-Za-z0-9]/;

/** Adds words that are whole ones: nothing but what is masked anyway, or no letter or digit, is beside them. */
function withWords(message: string, long: readonly Interval[], words: readonly Interval[]): Interval[] {
  const ends = new Set(long.map(({ end }) => end));
  const starts = new Set(long.map(({ start }) => start));
  const whole = words.filter(({ start, end }) => {
    const hasBefore = wordCharacter.test(message.charAt(start - 1)) && !ends.has(start);
    const hasAfter = wordCharacter.test(message.charAt(end)) && !starts.has(end);
    return !hasBefore && !hasAfter;
  });
  const all: Interval[] = [];
  for (const interval of [...long, ...whole].toSorted((a, b) => a.end - b.end || a.start - b.start))
    push(all, interval);
  return all;
}

/** Both lists are in order. */
function outsideOf(message: string, fixed: RegExp, intervals: readonly Interval[]): Interval[] {
  const spans = Array.from(message.matchAll(fixed), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  let at = 0;
  return intervals.filter(({ start, end }) => {
    while ((spans[at]?.end ?? Number.POSITIVE_INFINITY) < end) at++;
    return (spans[at]?.start ?? Number.POSITIVE_INFINITY) > start;
  });
}

function replace(message: string, intervals: readonly Interval[], mask: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const interval of intervals) {
    if (interval.start >= message.length) break;
    parts.push(message.slice(end, interval.start), mask);
    end = interval.end;
  }
  return parts.join("") + message.slice(end);
}
