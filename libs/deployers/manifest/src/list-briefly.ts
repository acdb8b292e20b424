const maxNamed = 3;

/** "a, b, c and 7 more": for texts that have to stay short. */
export function listBriefly(items: readonly string[]): string {
  const named = items.slice(0, maxNamed).join(", ");
  return items.length > maxNamed ? `${named} and ${items.length - maxNamed} more` : named;
}
