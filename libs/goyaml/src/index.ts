export { compareStrings } from "./compare-strings.ts";
export { fromYaml, type FromYamlOptions } from "./from-yaml.ts";
export { goJson as toGoJson, type GoJsonOptions } from "./go-json.ts";
export { floatFromParts } from "./float-from-parts.ts";
export { formatFloat, formatFloatDefault, type FloatFormat } from "./format-float.ts";
export { areUnderscoresValid, fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "./parse-number.ts";
export { toYaml } from "./to-yaml.ts";
export { YamlError } from "./yaml-error.ts";
