export { compareStrings } from "./compare-strings.ts";
export { foldEach, foldKeys } from "./fold-keys.ts";
export { type FirstValue, fromGoJson, JsonError, readGoJson } from "./from-go-json.ts";
export { fromYaml, type FromYamlOptions, fromYamlInTurns, type TurnOptions } from "./from-yaml.ts";
export { goJson as toGoJson, type GoJsonOptions } from "./go-json.ts";
export { floatFromParts } from "./float-from-parts.ts";
export { formatFloat, formatFloat32, formatFloatDefault, type FloatFormat } from "./format-float.ts";
export type {
  ScalarStyle,
  YamlAlias,
  YamlEntry,
  YamlMapping,
  YamlNode,
  YamlScalar,
  YamlSequence,
} from "./nodes/node.ts";
export { parseFirstDocument, parseYamlNodes } from "./nodes/parse-yaml-nodes.ts";
export { areUnderscoresValid, fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "./parse-number.ts";
export { type ResolvedScalar, resolvePlainScalar } from "./resolve-scalar.ts";
export { resolveScalar } from "./tagged-scalar.ts";
export { OrderedEntries } from "./plain-value.ts";
export { toCandiedYaml, toYaml, toYamlV3 } from "./to-yaml.ts";
export { VerbatimScalar } from "./verbatim-scalar.ts";
export { WrittenNumber } from "./yaml-decoder.ts";
export { YamlError } from "./yaml-error.ts";
export { mapRunes } from "./map-runes.ts";
export { canBackquote, isInvalidByte, isPrintable, quote, quoteRune, unicodeName } from "./quote.ts";
