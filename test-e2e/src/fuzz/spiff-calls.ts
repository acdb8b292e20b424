/**
 * Functions of spiff with the kinds of their arguments; `?` may be missing, `...` repeats. Functions whose results are
 * random, depend on the place, or are known to differ in all cases are not here.
 */
const table = `
join: text ...any
split: separator text ?small
split: small text ?small
split_match: pattern text ?small
trim: texts ?text
replace: text text text ?small
replace: text text matchlambda ?small
replace_match: text pattern expansion ?small
replace_match: text pattern matchlambda ?small
substr: text small ?small
match: pattern text ?small
upper: text
lower: text
format: format ...simple
basename: path
dirname: path
parseurl: url
element: list small
element: map key
length: any
contains: list any
contains: text simple
contains: map key
index: list any
index: text simple
lastindex: list any
lastindex: text simple
compact: list
uniq: list
sort: words
sort: ints
sort: ints less
reverse: list
intersect: list ?list ?list
keys: map
makemap: key any ?key ?any
list_to_map: entries ?key
merge: map map ?map
type: any
string: simple
string: int small
integer: simple
float: simple
bool: simple
base64: text ?small
base64_decode: base64
asjson: any
asyaml: any
parse: yaml ?mode
hash: text ?algorithm
md5: text
ceil: number
floor: number
round: number
roundtoeven: number
abs: number
sin: number
cos: number
sinh: small
cosh: small
asin: fraction
acos: fraction
asinh: number
acosh: number
sqrt: number
exp: small
log: number
log10: number
min_ip: cidr
max_ip: cidr
num_ip: cidr4
contains_ip: cidr ip
ipset: ranges small ?small ?small ?small
semver: version
semverrelease: version ?version
semvermajor: version
semverminor: version
semverpatch: version
semverincmajor: version
semverincminor: version
semverincpatch: version
semverprerelease: version ?prerelease
semvermetadata: version ?prerelease
semvercmp: version version
semvermatch: version ?constraint ?constraint
semvervalidate: version constraint
semversort: version version ?version
defined: any
valid: any
check: any validator ?validator
validate: any validator
catch: any
`;

export interface SpiffCallForm {
  readonly name: string;
  readonly kinds: readonly string[];
}

/** The calls that are generated; a function may stand in it more than once. */
export const spiffCalls: readonly SpiffCallForm[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [name = "", kinds = ""] = line.split(": ");
    return { name, kinds: kinds.split(" ") };
  });
