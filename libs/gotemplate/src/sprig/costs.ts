import { type FunctionMap, costly } from "@landscaper/golang";

/** Functions that take a multiple of the work and memory of a copy of their arguments, by that multiple. */
const costs: readonly (readonly [factor: number, names: string])[] = [
  [2, "sortAlpha adler32sum b64dec encryptAES decryptAES"],
  [4, "toJson mustToJson toRawJson mustToRawJson toPrettyJson mustToPrettyJson quote squote"],
  [8, "fromJson mustFromJson upper lower title untitle swapcase initials nospace wrap wrapWith abbrev abbrevboth"],
  [8, "regexSplit mustRegexSplit urlParse urlJoin b32enc b32dec"],
  [16, "snakecase kebabcase camelcase trimAll trimall shuffle semver semverCompare regexQuoteMeta clean osClean"],
  [16, "duration durationRound date dateInZone date_in_zone toDate mustToDate"],
  [16, "dateModify date_modify mustDateModify must_date_modify"],
];

/** The functions, with what they cost. */
export function withCosts(functions: FunctionMap): FunctionMap {
  const result = { ...functions };
  for (const [factor, names] of costs) {
    for (const name of names.split(" ")) {
      const fn = functions[name];
      if (fn !== undefined) result[name] = costly(factor, fn);
    }
  }
  return result;
}
