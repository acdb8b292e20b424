import type { ExecuteOptions } from "@landscaper/gotemplate";
import { FunctionError } from "@landscaper/golang";
import type { Lookup, LookupQuery } from "../functions/helm-environment.ts";

/** Reads an object of a cluster, or with an empty name a list of them; undefined when there is none. */
export type FetchObject = (query: LookupQuery, signal?: AbortSignal) => Promise<unknown>;

/** What a rendering takes from outside in each attempt. */
export interface AttemptSources {
  readonly lookup: Lookup;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly createKey: NonNullable<ExecuteOptions["createKey"]>;
}

export interface LiveLookupOptions {
  readonly fetch: FetchObject;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly createKey: NonNullable<ExecuteOptions["createKey"]>;
  readonly signal?: AbortSignal | undefined;
  /** Attempts in which templates may ask for objects that they did not ask for before. Default 50. */
  readonly maxAttempts?: number | undefined;
}

/**
 * Renders with `lookup` on a cluster although templates run without waiting: an attempt notes the objects it asks for and
 * finds nothing, these are fetched together, and the next attempt finds them; the first that asks for nothing new counts.
 * Time, random bytes and keys are the same in all attempts. Throws what the last attempt throws, and an Error when
 * templates never end asking. See docs/adr/0017-live-lookups.md.
 */
export async function renderWithLookups<T>(
  render: (sources: AttemptSources) => T,
  { fetch, now, random, createKey, signal, maxAttempts = 50 }: LiveLookupOptions,
): Promise<T> {
  const answers = new Map<string, Answer>();
  const time = now();
  const bytes = new Tape(random);
  const keys = new Tape(createKey);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const wanted = new Map<string, LookupQuery>();
    bytes.rewind();
    keys.rewind();
    const outcome = outcomeOf(() =>
      render({
        lookup: (query) => {
          const key = keyOf(query);
          const answer = answers.get(key);
          if (answer !== undefined) return answer();
          wanted.set(key, query);
          return undefined;
        },
        now: () => time,
        random: (count) => bytes.next(count),
        createKey: (kind) => keys.next(kind),
      }),
    );
    // What was rendered, or went wrong, without knowing the cluster says nothing.
    if (wanted.size === 0) return outcome();
    signal?.throwIfAborted();
    await Promise.all(
      [...wanted].map(async ([key, query]) => answers.set(key, await answerOf(fetch(query, signal), signal))),
    );
  }
  throw new Error(`templates still look up new objects after ${maxAttempts} attempts`);
}

type Answer = () => unknown;

function outcomeOf<T>(run: () => T): () => T {
  try {
    const value = run();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** An error of the cluster is one of the template that asks, as in Helm; asking in vain is not one. */
async function answerOf(fetched: Promise<unknown>, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    const value = await fetched;
    return () => value;
  } catch (error) {
    signal?.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return () => {
      throw new FunctionError(message, { cause: error });
    };
  }
}

function keyOf({ apiVersion, kind, namespace, name }: LookupQuery): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/** Values of a source, which come again in each attempt as long as they are asked for in the same way. */
class Tape<Question, Value> {
  readonly #source: (question: Question) => Value;
  readonly #values: { readonly question: Question; readonly value: Value }[] = [];
  #at = 0;

  constructor(source: (question: Question) => Value) {
    this.#source = source;
  }

  rewind(): void {
    this.#at = 0;
  }

  next(question: Question): Value {
    const known = this.#values[this.#at];
    const entry = known?.question === question ? known : { question, value: this.#source(question) };
    this.#values[this.#at++] = entry;
    return entry.value;
  }
}
