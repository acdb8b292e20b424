import { boundText } from "../errors/error.ts";
import { didYouMean, findNearestName } from "../values/nearest-name.ts";
import { annotations as keys } from "./annotations.ts";
import { groupName, operations } from "./api-group.ts";

const known: readonly string[] = Object.values(keys);
const maxShown = 100;

/** Returns a sentence for each annotation of Landscaper that has no effect, with what was probably meant. */
export function findAnnotationProblems(annotations: Readonly<Record<string, string>> = {}): readonly string[] {
  const problems = Object.keys(annotations).map((key) => describeKey(key));
  return [...problems, describeOperation(annotations[keys.operation])].filter((problem) => problem !== undefined);
}

function describeKey(key: string): string | undefined {
  const [prefix = "", name = ""] = key.split("/");
  const isOurs = prefix === groupName;
  if ((!isOurs && !prefix.endsWith(`.${groupName}`)) || known.includes(key)) return undefined;
  const siblings = known.filter((each) => each.startsWith(`${prefix}/`)).map((each) => each.slice(prefix.length + 1));
  const nearest = findNearestName(name, siblings);
  // Deployers of others have prefixes of their own.
  if (!isOurs && nearest === undefined) return undefined;
  const meant = didYouMean(nearest === undefined ? undefined : `${prefix}/${nearest}`, ";");
  return `the annotation ${boundText(key, maxShown)} is not known to Landscaper and has no effect${meant}`;
}

function describeOperation(value = ""): string | undefined {
  const valid = Object.values(operations);
  if (value === "" || valid.some((each) => each === value)) return undefined;
  const meant = didYouMean(findNearestName(value, valid), ";");
  return `the annotation ${keys.operation} has no effect: expected one of ${valid.join(", ")}, found "${boundText(value, maxShown)}"${meant}`;
}
