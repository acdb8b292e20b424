/** Kinds of values in generated templates. */
export type Kind = "int" | "float" | "string" | "bool" | "list" | "dict" | "any" | "date";

/** A function with the kinds of its arguments; `...kind` repeats. */
export interface TypedFunction {
  readonly name: string;
  readonly takes: readonly string[];
  readonly gives: Kind;
}

/** `name: kinds -> kind`, one a line. Functions whose results are random, or in the random order of Go's maps, are not here. */
const table = `
trim: string -> string
upper: string -> string
lower: string -> string
title: string -> string
untitle: string -> string
repeat: small string -> string
substr: small small string -> string
nospace: string -> string
trunc: small string -> string
abbrev: small string -> string
abbrevboth: small small string -> string
initials: string -> string
wrap: small string -> string
wrapWith: small string string -> string
contains: string string -> bool
hasPrefix: string string -> bool
hasSuffix: string string -> bool
quote: any ...any -> string
squote: any ...any -> string
cat: any ...any -> string
indent: small string -> string
nindent: small string -> string
replace: string string string -> string
plural: string string int -> string
snakecase: string -> string
camelcase: string -> string
kebabcase: string -> string
swapcase: string -> string
trimAll: string string -> string
trimSuffix: string string -> string
trimPrefix: string string -> string
sha1sum: string -> string
sha256sum: string -> string
sha512sum: string -> string
adler32sum: string -> string
b64enc: string -> string
b64dec: string -> string
b32enc: string -> string
b32dec: string -> string
toString: any -> string
toStrings: list -> list
join: string list -> string
splitList: string string -> list
split: string string -> dict
splitn: string small string -> dict
sortAlpha: list -> list
int: any -> int
int64: any -> int
float64: any -> float
toDecimal: any -> int
atoi: string -> int
add: int ...int -> int
add1: int -> int
sub: int int -> int
mul: int ...int -> int
div: int int -> int
mod: int int -> int
max: int ...int -> int
min: int ...int -> int
maxf: float ...float -> float
minf: float ...float -> float
addf: float ...float -> float
add1f: float -> float
subf: float ...float -> float
mulf: float ...float -> float
divf: float ...float -> float
ceil: float -> float
floor: float -> float
round: float small -> float
len: any -> int
until: small -> list
untilStep: small small small -> list
seq: small ...small -> string
list: ...any -> list
first: list -> any
rest: list -> list
last: list -> any
initial: list -> list
append: list any -> list
prepend: list any -> list
concat: list ...list -> list
reverse: list -> list
uniq: list -> list
without: list any -> list
has: any list -> bool
compact: list -> list
slice: list small small -> list
chunk: small list -> list
mustFirst: list -> any
mustRest: list -> list
mustAppend: list any -> list
mustHas: any list -> bool
mustUniq: list -> list
dict: string any string any -> dict
get: dict string -> any
set: dict string any -> dict
unset: dict string -> dict
hasKey: dict string -> bool
pluck: string ...dict -> list
pick: dict ...string -> dict
omit: dict ...string -> dict
merge: dict ...dict -> dict
mergeOverwrite: dict ...dict -> dict
deepCopy: any -> any
dig: string any dict -> any
default: any any -> any
empty: any -> bool
coalesce: any ...any -> any
all: ...any -> bool
any: ...any -> bool
ternary: any any bool -> any
toJson: any -> string
toPrettyJson: any -> string
toRawJson: any -> string
mustToJson: any -> string
fromJson: string -> any
mustFromJson: string -> any
toYaml: any -> string
fromYaml: string -> any
typeOf: any -> string
kindOf: any -> string
typeIs: string any -> bool
kindIs: string any -> bool
typeIsLike: string any -> bool
deepEqual: any any -> bool
print: ...any -> string
println: ...any -> string
html: any -> string
js: any -> string
urlquery: any -> string
not: any -> bool
and: any ...any -> any
or: any ...any -> any
eq: any any -> bool
eq: any any any -> bool
ne: any any -> bool
lt: int int -> bool
le: float float -> bool
gt: string string -> bool
ge: any any -> bool
index: list small -> any
index: dict string -> any
index: list small any -> any
slice: string small small -> string
regexMatch: pattern string -> bool
regexFind: pattern string -> string
regexFindAll: pattern string small -> list
regexReplaceAll: pattern string string -> string
regexReplaceAllLiteral: pattern string string -> string
regexSplit: pattern string small -> list
regexQuoteMeta: string -> string
mustRegexMatch: pattern string -> bool
base: string -> string
dir: string -> string
clean: string -> string
ext: string -> string
isAbs: string -> bool
osBase: string -> string
urlParse: string -> dict
semver: version -> any
semverCompare: constraint version -> bool
date: layout date -> string
dateInZone: layout date zone -> string
htmlDate: date -> string
dateModify: duration date -> date
date_modify: duration date -> date
unixEpoch: date -> string
duration: small -> string
durationRound: string -> string
toDate: layout string -> date
now: -> date
fail: string -> string
hello: -> string
trimall: string string -> string
biggest: int ...int -> int
tuple: ...any -> list
push: list any -> list
`;

/** All functions that generated templates call. */
export const typedFunctions: readonly TypedFunction[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [, name = "", takes = "", gives = ""] = /^(\w+):(.*)->\s*(\w+)$/.exec(line) ?? [];
    return {
      name,
      takes: takes
        .trim()
        .split(/\s+/)
        .filter((kind) => kind !== ""),
      gives: gives as Kind,
    };
  });
