import { isJsonObject } from "@landscaper/resources";

/**
 * What of the values of a stored revision may come from Secrets, also from such as have changed since: all but what `told` sets, which
 * everybody may read. Lists are set as a whole.
 */
export function storedSecrets(stored: unknown, told: unknown): unknown[] {
  if (told === undefined || told === null) return [stored];
  const isMap = isJsonObject(stored);
  if (isMap !== isJsonObject(told)) return [stored];
  if (!isMap) return [];
  const members = new Map(Object.entries(told));
  return Object.entries(stored).flatMap(([key, value]) => storedSecrets(value, members.get(key)));
}
