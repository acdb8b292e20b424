/** JSON.rawJSON of ECMAScript 2026, which Node 24 has. */
interface RawJson {
  rawJSON(text: string): unknown;
}

/**
 * Makes JSON.stringify print a bigint as digits; it throws a TypeError otherwise. Any object of a user may have one, and
 * many messages, keys and hashes print such objects; see docs/adr/0057-exact-numbers.md.
 */
export function definePrinting(): void {
  // eslint-disable-next-line no-extend-native -- JSON.stringify has no other hook that holds for all its callers
  Object.defineProperty(BigInt.prototype, "toJSON", {
    value: function toJSON(this: bigint): unknown {
      return (JSON as unknown as RawJson).rawJSON(this.toString());
    },
    writable: true,
    configurable: true,
  });
}
