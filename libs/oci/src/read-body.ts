import { readBounded } from "./content/read-bounded.ts";
import { unreachable, type TransportAnswer } from "./transport.ts";

export interface ReadBodyOptions {
  /** In bytes. */
  readonly limit: number;
  /** Begins the messages. */
  readonly place: string;
  /** Signal of the request. */
  readonly signal: AbortSignal;
}

/** Returns all bytes of an answer. Throws LandscaperError as soon as there are more than `limit` bytes, and if the answer breaks off. */
export async function readBody(
  { body }: Pick<TransportAnswer, "body">,
  { limit, place, signal }: ReadBodyOptions,
): Promise<Uint8Array> {
  try {
    return await readBounded(body, { limit, place });
  } catch (error) {
    signal.throwIfAborted();
    throw unreachable(place, error);
  }
}
