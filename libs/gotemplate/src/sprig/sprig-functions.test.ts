import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { sprigFunctions } from "./sprig-functions.ts";

/** Every function of sprig v3.3.0. */
const sprigNames =
  "abbrev abbrevboth add add1 add1f addf adler32sum ago all any append atoi b32dec b32enc b64dec b64enc base bcrypt biggest buildCustomCert camelcase cat ceil chunk clean coalesce compact concat contains date dateInZone dateModify date_in_zone date_modify decryptAES deepCopy deepEqual default derivePassword dict dig dir div divf duration durationRound empty encryptAES env expandenv ext fail first float64 floor fromJson genCA genCAWithKey genPrivateKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey get getHostByName has hasKey hasPrefix hasSuffix hello htmlDate htmlDateInZone htpasswd indent initial initials int int64 isAbs join kebabcase keys kindIs kindOf last list lower max maxf merge mergeOverwrite min minf mod mul mulf mustAppend mustChunk mustCompact mustDateModify mustDeepCopy mustFirst mustFromJson mustHas mustInitial mustLast mustMerge mustMergeOverwrite mustPrepend mustPush mustRegexFind mustRegexFindAll mustRegexMatch mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit mustRest mustReverse mustSlice mustToDate mustToJson mustToPrettyJson mustToRawJson mustUniq mustWithout must_date_modify nindent nospace now omit osBase osClean osDir osExt osIsAbs pick pluck plural prepend push quote randAlpha randAlphaNum randAscii randBytes randInt randNumeric regexFind regexFindAll regexMatch regexQuoteMeta regexReplaceAll regexReplaceAllLiteral regexSplit repeat replace rest reverse round semver semverCompare seq set sha1sum sha256sum sha512sum shuffle slice snakecase sortAlpha split splitList splitn squote sub subf substr swapcase ternary title toDate toDecimal toJson toPrettyJson toRawJson toString toStrings trim trimAll trimPrefix trimSuffix trimall trunc tuple typeIs typeIsLike typeOf uniq unixEpoch unset until untilStep untitle upper urlJoin urlParse uuidv4 values without wrap wrapWith".split(
    " ",
  );

/** They look at the host. */
const forbidden = ["env", "expandenv", "getHostByName"];
/** Their results are random or depend on the clock: tested in files of their own. */
const random = [
  "ago",
  "encryptAES",
  "randAlpha",
  "randAlphaNum",
  "randAscii",
  "randBytes",
  "randInt",
  "randNumeric",
  "shuffle",
  "uuidv4",
];

describe("sprigFunctions", () => {
  it("has sprig's functions and no others", () => {
    const wanted = sprigNames.filter((name) => !forbidden.includes(name));
    expect(Object.keys(sprigFunctions).toSorted()).toEqual(wanted.toSorted());
  });

  it("has at least one golden case for each of them", () => {
    const folder = join(import.meta.dirname, "../../testdata");
    const templates = globSync("**/*.json", { cwd: folder })
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    const untested = Object.keys(sprigFunctions).filter(
      (name) => !random.includes(name) && !new RegExp(`[{(|] *${name}\\b`).test(templates),
    );
    expect(untested).toEqual([]);
  });
});
