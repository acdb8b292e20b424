import { boundText } from "../errors/error.ts";
import { didYouMean, findNearestName } from "../values/nearest-name.ts";
import { annotations as keys } from "./annotations.ts";
import { annotationValues } from "./annotation-values.ts";
import { groupName } from "./api-group.ts";

const known: readonly string[] = Object.values(keys);
const maxShown = 100;

/** Returns a sentence for each annotation of Landscaper that has no effect, with what was probably meant. */
export function findAnnotationProblems(annotations: Readonly<Record<string, string>> = {}): readonly string[] {
  const unknown = Object.keys(annotations).map((key) => describeKey(key));
  const values = Object.entries(annotationValues).map(([key, valid]) => describeValue(key, annotations[key], valid));
  return [...unknown, ...values].filter((problem) => problem !== undefined);
}

function describeKey(key: string): string | undefined {
  const [prefix = "", name = ""] = key.split("/");
  const isOurs = prefix === groupName;
  if ((!isOurs && !prefix.endsWith(`.${groupName}`)) || known.includes(key)) return undefined;
  const nearest = findNearestKey(prefix, name);
  // Deployers of others have prefixes of their own.
  if (!isOurs && nearest === undefined) return undefined;
  const meant = didYouMean(nearest, ";");
  return `the annotation ${boundText(key, maxShown)} is not known to Landscaper and has no effect${meant}`;
}

/** Returns a known key with the same prefix and a name like the given one, or with the given name and the prefix of the group. */
function findNearestKey(prefix: string, name: string): string | undefined {
  const siblings = known.filter((each) => each.startsWith(`${prefix}/`)).map((each) => each.slice(prefix.length + 1));
  const nearest = findNearestName(name, siblings);
  if (nearest !== undefined) return `${prefix}/${nearest}`;
  return known.find((each) => each === `${groupName}/${name}`);
}

function describeValue(key: string, value: string | undefined, valid: readonly string[]): string | undefined {
  if (value === undefined || valid.includes(value) || (key === keys.operation && value === "")) return undefined;
  const expected = `${valid.length === 1 ? "" : "one of "}${valid.join(", ")}`;
  const meant = didYouMean(findNearestName(value, valid), ";");
  return `the annotation ${key} has no effect: expected ${expected}, found "${boundText(value, maxShown)}"${meant}`;
}
