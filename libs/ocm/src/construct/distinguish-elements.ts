import { quoteText } from "@landscaper/api";
import type { Element } from "../descriptor-schemas.ts";
import { identityKey } from "../identity.ts";

/**
 * Elements of one name, version and extra identity, which no selector could tell apart, get the attribute `index` with their number, from 1 on
 * (docs/reference/components.md#constructor-files). Calls `warn` for each group of them.
 */
export function distinguishElements<T extends Element>(
  elements: readonly T[],
  where: string,
  warn: (message: string) => void,
): readonly T[] {
  const groups = new Map<string, number[]>();
  for (const [at, element] of elements.entries()) {
    const key = identityKey(element);
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  const numbers = new Map<number, number>();
  for (const places of groups.values()) {
    const [first] = places;
    const element = first === undefined ? undefined : elements[first];
    if (element === undefined || places.length < 2 || element.extraIdentity?.["index"] !== undefined) continue;
    warn(
      `${where}: ${places.map((at) => `[${at}]`).join(" and ")} are named ${quoteText(element.name)} and have the same version and extraIdentity. ` +
        `They get extraIdentity.index "1" to "${places.length}"; give them different names, versions or extraIdentity`,
    );
    places.forEach((at, number) => numbers.set(at, number + 1));
  }
  return elements.map((element, at) => {
    const number = numbers.get(at);
    if (number === undefined) return element;
    return { ...element, extraIdentity: { ...element.extraIdentity, index: String(number) } };
  });
}
