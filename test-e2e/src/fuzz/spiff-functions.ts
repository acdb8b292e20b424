/** Kinds of values in generated documents. */
export type SpiffKind = "int" | "float" | "text" | "bool" | "list" | "map" | "any" | "ip" | "lambda";

/** A function with the kinds of its arguments; `...kind` repeats. */
export interface SpiffFunction {
  readonly name: string;
  readonly takes: readonly string[];
  readonly gives: SpiffKind;
}

/**
 * `name: kinds -> kind`, one a line. Not here: functions whose results are random or ints of a kind that others do not know,
 * that reach the machine, that change their argument in the original (`sort`, `reverse`), or that it does not know or gets
 * wrong (`optional`, `deepmerge`, `catch(e)`).
 */
const table = `
join: text list ...text -> text
split: separator text -> list
split: int text -> list
split: separator text int -> list
split_match: pattern text -> list
trim: text -> text
trim: text separator -> text
trim: list -> list
replace: text separator text -> text
replace: text text text int -> text
replace_match: text pattern text -> text
substr: text int -> text
substr: text int int -> text
match: pattern text -> list
match: pattern text int -> list
upper: text -> text
lower: text -> text
format: format ...any -> text
length: any -> int
contains: list any -> bool
contains: text text -> bool
basename: text -> text
dirname: text -> text
parseurl: text -> map
element: list int -> any
element: map text -> any
compact: list -> list
uniq: list -> list
intersect: list ...list -> list
keys: map -> list
makemap: text any text any -> map
makemap: list -> map
list_to_map: list text -> map
list_to_map: list -> map
merge: map ...map -> map
type: any -> text
string: any -> text
string: int small -> text
float: text -> float
bool: any -> bool
defined: any -> bool
valid: any -> bool
require: any -> any
error: text -> any
base64: text -> text
base64_decode: text -> text
asjson: any -> text
asyaml: list -> text
parse: text -> any
hash: text -> text
md5: text -> text
abs: int -> int
abs: float -> float
min_ip: cidr -> ip
max_ip: cidr -> ip
num_ip: cidr -> int
contains_ip: cidr ip -> bool
semver: version -> text
semvermajor: version -> int
semverincminor: version -> text
semvermatch: version constraint -> bool
validate: any validator -> any
check: any validator -> bool
`;

/** Functions that generated expressions call. */
export const spiffFunctions: readonly SpiffFunction[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [, name = "", takes = "", gives = ""] = /^(\w+):(.*)->\s*(\w+)$/.exec(line) ?? [];
    return { name, takes: takes.trim().split(/\s+/), gives: gives as SpiffKind };
  });
