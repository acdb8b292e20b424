export { bcryptHash, bcryptWorkMs, parseBcryptHash } from "./bcrypt/bcrypt.ts";
export { type BaseEncoding, decodeBase, decodeBase64, encodeBase } from "./encoding/base-encoding.ts";
export { formatDefault, sortedKeys } from "./format/print-arg.ts";
export { sprint, sprintf, sprintln } from "./format/printf.ts";
export { canBackquote, isInvalidByte, isPrintable, quote, unicodeName } from "@landscaper/goyaml";
export { FunctionError } from "./function-error.ts";
export { GoRegExp, type RegExpMatch, RegExpSyntaxError } from "./regexp/go-regexp.ts";
export { baseName, cleanPath, directoryName, extensionOf } from "./path/go-path.ts";
export { expandTemplate, replaceMatches, splitByMatches } from "./regexp/replace-matches.ts";
export {
  type Version,
  comparePrereleases,
  compareVersions,
  parseVersion,
  versionText,
} from "./semver/semantic-version.ts";
export { parseConstraints, type PrereleaseRule, type VersionConstraints } from "./semver/version-constraints.ts";
export {
  isLower,
  isUnicodeSpace,
  isUpper,
  lowerCase,
  lowerRune,
  titleCase,
  titleRune,
  trimCharacters,
  trimSpace,
  upperCase,
  upperRune,
} from "./text/letter-case.ts";
export { formatGoDuration, parseGoDuration } from "./time/go-duration.ts";
export { GoTime, zeroTime } from "./time/go-time.ts";
export { parseTime } from "./time/parse-time.ts";
export { findTimeZone, utc } from "./time/time-zone.ts";
export { type GoUrl, formatUrl, hostnameOf, parseQuery, parseUrl, portOf, unescapeUserinfo } from "./url/go-url.ts";
export { fromLatin1, latin1Of } from "./value/byte-text.ts";
export { fromPlain, mapFromPlain, toPlain } from "./value/convert.ts";
export { isDeepEqual } from "./value/deep-equal.ts";
export { type FunctionMap, costly, define, defineVariadic, shallow } from "./value/define-function.ts";
export { isEmpty } from "./value/empty.ts";
export { GoComplex } from "./value/go-complex.ts";
export { GoInt, int, int64, isUnsigned, wrapInt } from "./value/go-int.ts";
export { NamedMap } from "./value/named-map.ts";
export { WatchedMap } from "./value/watched-map.ts";
export { mapRunes } from "@landscaper/goyaml";
export { isTrue } from "./value/truth.ts";
export { elementTypeName, kindName, typeName, zeroOf } from "./value/type-name.ts";
export { byteLength, decodeUtf8, encodeUtf8, isAscii, sliceBytes, toWellFormed } from "./value/utf8.ts";
export {
  type CallContext,
  type CollectionType,
  type GoFunction,
  type GoMap,
  GoObject,
  type GoSlice,
  type ParamType,
  type TemplateLookup,
  type Value,
  collectionType,
  intSlice,
  isFunction,
  isMap,
  isSlice,
  nilList,
  stringMap,
  strings,
  withType,
} from "./value/value.ts";
