import type { Cursor, Mark } from "./cursor.ts";

/** A place where a key without `?` may have begun. */
interface SimpleKey extends Mark {
  /** Number of the token that begins it. */
  readonly token: number;
  /** Whether only a key may stand there. */
  readonly isRequired: boolean;
  /** Open flow collections around it. */
  readonly level: number;
}

/** Characters that a key without `?` may have up to its colon. */
const longestKey = 1024;

/** What may be a key at one depth of flow collections. */
interface Slot {
  candidate: SimpleKey | undefined;
  /** Number of the last token that was a candidate here; before there is one, of the token that opens the collection. */
  token: number;
}

/** The candidates for a key: at most one for the block context and for each open flow collection. */
export class SimpleKeys {
  readonly #cursor: Cursor;
  readonly #slots: Slot[] = [{ candidate: undefined, token: 0 }];
  /** The candidate of each token that is one. */
  readonly #byToken = new Map<number, SimpleKey>();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** Enters the flow collection that token number `token` opens. */
  openFlow(token: number): void {
    this.#slots.push({ candidate: undefined, token });
  }

  /**
   * Leaves a flow collection. As in go-yaml, the token that opens one without any candidate is no longer waited with, so
   * that `[]: x` is no key.
   */
  closeFlow(): void {
    const slot = this.#slots.pop();
    if (slot !== undefined) this.#byToken.delete(slot.token);
  }

  /** Notes that token number `token`, which begins here, may be a key. */
  save(token: number, isRequired: boolean): void {
    this.remove();
    const { offset, line, column } = this.#cursor;
    const level = this.#slots.length - 1;
    const candidate: SimpleKey = { offset, line, column, token, isRequired, level };
    const slot = this.#slots[level];
    if (slot !== undefined) {
      slot.candidate = candidate;
      slot.token = token;
    }
    this.#byToken.set(token, candidate);
  }

  /** Gives up the candidate of this level. Throws when there must be a key. */
  remove(): void {
    const slot = this.#slots.at(-1);
    if (slot?.candidate === undefined) return;
    if (slot.candidate.isRequired) this.#failRequired();
    this.#byToken.delete(slot.candidate.token);
    slot.candidate = undefined;
  }

  /** The candidate that the colon here makes a key. */
  take(): SimpleKey | undefined {
    const slot = this.#slots.at(-1);
    const candidate = slot?.candidate;
    if (slot === undefined || candidate === undefined) return undefined;
    const isPossible = this.#isStillPossible(candidate);
    this.#byToken.delete(candidate.token);
    slot.candidate = undefined;
    return isPossible ? candidate : undefined;
  }

  /** Whether this token may turn out to be a key, so that nothing may be done with it yet. */
  mayBeKey(token: number): boolean {
    const candidate = this.#byToken.get(token);
    if (candidate === undefined) return false;
    if (this.#isStillPossible(candidate)) return true;
    this.#byToken.delete(token);
    const slot = this.#slots[candidate.level];
    if (slot?.candidate === candidate) slot.candidate = undefined;
    return false;
  }

  #isStillPossible(key: SimpleKey): boolean {
    const cursor = this.#cursor;
    if (key.line === cursor.line && !isFurther(cursor.text, key.offset, cursor.offset)) return true;
    if (key.isRequired) this.#failRequired();
    return false;
  }

  #failRequired(): never {
    return this.#cursor.fail("could not find expected ':'");
  }
}

/** Whether more characters than a key may have lie between two offsets. */
function isFurther(text: string, from: number, to: number): boolean {
  const units = to - from;
  if (units <= longestKey || units > 2 * longestKey) return units > longestKey;
  return Array.from(text.slice(from, to)).length > longestKey;
}
