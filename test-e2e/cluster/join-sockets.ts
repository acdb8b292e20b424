import { type Duplex, pipeline } from "node:stream";

/** What comes from each of them goes to the other; the end of one is the end of both. */
export function joinSockets(one: Duplex, other: Duplex): void {
  pipeline(one, other, one, () => undefined);
}
