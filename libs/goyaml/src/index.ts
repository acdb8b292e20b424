export { compareStrings } from "./strings/compare-strings.ts";
export { foldEach, foldKeys } from "./strings/fold-keys.ts";
export { type FirstValue, fromGoJson, JsonError, readGoJson } from "./json/from-go-json.ts";
export { fromYaml, type FromYamlOptions, fromYamlInTurns, type TurnOptions } from "./decode/from-yaml.ts";
export { goJson as toGoJson, type GoJsonOptions } from "./json/go-json.ts";
export { floatFromParts } from "./numbers/float-from-parts.ts";
export { formatFloat, formatFloat32, formatFloatDefault, type FloatFormat } from "./numbers/format-float.ts";
export type {
  ScalarStyle,
  YamlAlias,
  YamlEntry,
  YamlMapping,
  YamlNode,
  YamlScalar,
  YamlSequence,
} from "./nodes/node.ts";
export { hasFurtherContent, parseFirstDocument, parseYamlNodes } from "./nodes/parse-yaml-nodes.ts";
export type { RepeatedKey } from "./nodes/repeated-keys.ts";
export { areUnderscoresValid, fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "./numbers/parse-number.ts";
export { type ResolvedScalar, resolvePlainScalar } from "./scalars/resolve-scalar.ts";
export { resolveScalar } from "./scalars/tagged-scalar.ts";
export { OrderedEntries } from "./plain-value.ts";
export { toCandiedYaml, toYaml, toYamlV3 } from "./encode/to-yaml.ts";
export { VerbatimScalar } from "./scalars/verbatim-scalar.ts";
export { WrittenNumber } from "./decode/yaml-decoder.ts";
export { YamlError } from "./yaml-error.ts";
export { mapRunes } from "./strings/map-runes.ts";
export { canBackquote, isInvalidByte, isPrintable, quote, quoteRune, unicodeName } from "./strings/quote.ts";
