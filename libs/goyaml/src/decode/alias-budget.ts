import { YamlError } from "../yaml-error.ts";

/** Up to so many nodes nearly all may come from aliases, beyond the second count hardly any; in between it scales. */
const smallDocument = 400_000;
const largeDocument = 4_000_000;
const smallShare = 0.99;
const largeShare = 0.1;

/**
 * Counts decoded nodes and throws when too large a share of them comes from aliases, with the bounds that go-yaml has
 * against documents that double themselves; and when there are more than `maxValues`.
 */
export function countAliasing(maxValues = Number.POSITIVE_INFINITY): (isUnderAlias: boolean) => void {
  let decoded = 0;
  let fromAliases = 0;
  return (isUnderAlias) => {
    decoded++;
    if (decoded > maxValues) throw tooManyValues(maxValues);
    if (!isUnderAlias) return;
    fromAliases++;
    if (fromAliases > 100 && decoded > 1000 && fromAliases / decoded > allowedShare(decoded)) {
      throw new YamlError("yaml: document contains excessive aliasing");
    }
  };
}

function allowedShare(decoded: number): number {
  if (decoded <= smallDocument) return smallShare;
  if (decoded >= largeDocument) return largeShare;
  return smallShare - ((smallShare - largeShare) * (decoded - smallDocument)) / (largeDocument - smallDocument);
}

export function tooManyValues(maxValues: number): YamlError {
  return new YamlError(`yaml: document has more than ${maxValues} values`);
}
