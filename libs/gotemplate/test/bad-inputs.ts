/** A template that is a mistake or an attack. */
export interface BadInput {
  readonly name: string;
  readonly text: string;
  /** Data of its own; `large` (a text) and `list` are there otherwise. */
  readonly data?: () => unknown;
  /** It comes to an end, and soon. */
  readonly isHarmless?: boolean;
}

function times(count: number, text: string): string {
  return text.repeat(count);
}

/** Runs the action on a text that it makes larger and larger. */
function growing(action: string, start = '"a<&\\"\\\\ "'): BadInput {
  return {
    name: `growth by ${action}`,
    text: `{{ $x := ${start} }}{{ range until 100 }}{{ $x = ${action} }}{{ end }}`,
  };
}

/** Runs the action on a text of a million characters, again and again. */
function repeated(action: string): BadInput {
  return {
    name: `a large text for ${action}`,
    text: `{{ $x := repeat 1000000 "aB 1," }}{{ range until 100000 }}{{ $_ := ${action} }}{{ end }}`,
  };
}

/** Maps that hold themselves: `$d` by a key, `$e` by a list. */
function cyclic(action: string): BadInput {
  const setup =
    '{{ $d := dict }}{{ $_ := set $d "x" $d }}{{ $e := dict "a" 1 }}{{ $_ := set $e "l" (list $e 1) }}{{ $f := dict }}{{ $_ := set $f "x" $f }}';
  return { name: `${action} of maps that hold themselves`, text: `${setup}{{ ${action} }}` };
}

/** Maps that hold the next one twice: small, but 2^60 by paths. */
function wide(action: string): BadInput {
  const loop = '{{ range until 60 }}{{ $d = dict "a" $d "b" $d }}{{ $e = dict "a" $e "b" $e }}{{ end }}';
  return {
    name: `${action} of maps that hold the next one twice`,
    text: `{{ $d := dict }}{{ $e := dict }}${loop}{{ ${action} }}`,
  };
}

/** A list in a list in a list. */
function deep(action: string): BadInput {
  return {
    name: `${action} of lists 100,000 deep`,
    text: `{{ $d := list }}{{ $e := list }}{{ range until 100000 }}{{ $d = list $d }}{{ $e = list $e }}{{ end }}{{ ${action} }}`,
  };
}

function action(text: string): BadInput {
  return { name: text, text: `{{ ${text} }}` };
}

function harmless(input: BadInput): BadInput {
  return { ...input, isHarmless: true };
}

const walks = [
  "print $d",
  'printf "%v" $d',
  'printf "%#v" $d',
  "toJson $d",
  "mustToPrettyJson $d",
  "toRawJson $d",
  "toYaml $d",
  "deepCopy $d",
  "deepEqual $d $e",
  "list $d $e | uniq",
  "has $d (list $e)",
  "without (list $d) $e",
  "quote $d",
  "squote $d",
  "cat $d",
  "toString $d",
  "toStrings $d",
  'join "," (list $d)',
  "html $d",
  "js $d",
  "urlquery $d",
  "sortAlpha (list $d)",
  "$d",
];

/** Texts that no parser may choke on. */
const badTemplates: readonly BadInput[] = [
  { name: "100,000 parentheses", text: `{{ ${times(100_000, "(")}1${times(100_000, ")")} }}` },
  { name: "100,000 open parentheses", text: `{{ ${times(100_000, "(")}` },
  { name: "1,000,000 nested ifs", text: times(1_000_000, "{{ if 1 }}") },
  { name: "100,000 nested ifs that end", text: times(100_000, "{{ if 1 }}") + times(100_000, "{{ end }}") },
  { name: "100,000 nested ranges", text: times(100_000, "{{ range . }}") + times(100_000, "{{ end }}") },
  { name: "100,000 nested definitions", text: times(100_000, '{{ define "a" }}') },
  { name: "200,000 else ifs", text: `{{ if 0 }}${times(200_000, "{{ else if 0 }}")}{{ end }}` },
  { name: "200,000 ends", text: times(200_000, "{{ end }}") },
  { name: "a comment without an end", text: `{{/* ${times(10_000_000, "x")}` },
  { name: "a string without an end", text: `{{ "${times(10_000_000, "x")}` },
  { name: "an action without an end", text: `{{ ${times(5_000_000, "x ")}` },
  { name: "a name of 10 MB", text: `{{ ${times(10_000_000, "x")} }}` },
  { name: "10 MB of left braces", text: times(10_000_000, "{") },
  { name: "10 MB of bytes that are no text", text: `{{ ${times(10_000_000, "\udcff")} }}` },
  { name: "10 MB of NUL", text: `{{ ${times(10_000_000, "\0")} }}` },
  { name: "a number of a million digits", text: `{{ ${times(1_000_000, "9")} }}` },
  { name: "a hexadecimal number of a million digits", text: `{{ 0x${times(1_000_000, "f")} }}` },
  { name: "an exponent of a million digits", text: `{{ 1e${times(1_000_000, "9")} }}` },
  { name: "500,000 unknown variables", text: times(500_000, "{{ $x }}") },
];

/** What runs until a budget ends it. */
const badExecutions: readonly BadInput[] = [
  { name: "range over a huge number", text: "{{ range 1000000000 }}x{{ end }}" },
  { name: "range over a huge number without output", text: "{{ range 1000000000 }}{{ end }}" },
  {
    name: "ranges in ranges",
    text: "{{ range $.list }}{{ range $.list }}{{ range $.list }}{{ end }}{{ end }}{{ end }}",
  },
  {
    name: "a template that includes itself",
    text: '{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}',
  },
  { name: "the whole template in itself", text: 'x{{ template "t" . }}' },
  {
    name: "templates that call each other",
    text: '{{ define "a" }}{{ template "b" . }}{{ end }}{{ define "b" }}x{{ template "a" . }}{{ end }}{{ template "a" . }}',
  },
  {
    name: "a template that includes itself by a function",
    text: '{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}',
  },
  {
    name: "branching recursion",
    text: '{{ define "r" }}{{ include "r" . }}{{ include "r" . }}{{ end }}{{ include "r" . }}',
  },
  {
    name: "a tree of templates",
    text: `${Array.from({ length: 40 }, (_, i) => `{{ define "t${i}" }}{{ template "t${i + 1}" }}{{ template "t${i + 1}" }}{{ end }}`).join("")}{{ define "t40" }}{{ end }}{{ template "t0" }}`,
  },
  action('repeat 1000000000 "x"'),
  action('repeat 9223372036854775807 "x"'),
  action('repeat 1000000000 "x" | len'),
  action("until 1000000000"),
  action("until -1000000000"),
  action("untilStep 0 1000000000 1"),
  action("untilStep 0 9223372036854775807 1000000"),
  action("seq 1 1000000000"),
  action("seq 1 2 9223372036854775807"),
  action("randAlphaNum 1000000000"),
  action("randBytes 1000000000"),
  action('indent 1000000000 "x"'),
  action('nindent 9223372036854775807 "x"'),
  action("indent 1000000 .lines"),
  action("nindent 100000 .lines"),
  action("join .large (until 100000)"),
  action("join .large .list"),
  action('replace "" .large .large'),
  action('replace "x" .large .large'),
  action("wrapWith 1 .large .large"),
  action('regexReplaceAll "" .large .large'),
  action('regexReplaceAll "x" .large (repeat 100 "$0$0$0$0")'),
  action('regexReplaceAll ".*" .large (repeat 1000 "$0")'),
  action('regexReplaceAllLiteral "x" .large .large'),
  action('regexMatch "(x{0,30}){0,30}y" .large'),
  action('regexMatch "(((x{0,10}){0,10}){0,10}){0,1}y" .large'),
  action('regexMatch (repeat 100000 "x?") .large'),
  action('regexMatch (repeat 1000000 "(") "x"'),
  harmless(action('regexMatch (print (repeat 20000 "(") (repeat 20000 ")")) "x"')),
  harmless(action('regexFindAll "(.|x)*" (repeat 3000000 "x") -1')),
  action('date (repeat 100000 "Monday, January") now | repeat 1000'),
  action('mustToDate (repeat 3000000 "Jan ") (repeat 3000000 "Jan ")'),
  harmless(action('int (repeat 10000000 "9")')),
  harmless(action('atoi (repeat 10000000 "9")')),
  harmless(action('toDecimal (repeat 10000000 "7")')),
  harmless(action('float64 (repeat 10000000 "9")')),
  harmless(action('add (repeat 10000000 "9") 1')),
  action("addf 1e308 1e-308 | repeat 100000000"),
  action('fromJson (repeat 10000000 "9") | toString | repeat 1000'),
  action('fromJson (repeat 10000000 "[")'),
  action('mustFromJson (print (repeat 1000000 "[") (repeat 1000000 "]"))'),
  action('semver (repeat 10000000 "1")'),
  action('semverCompare (repeat 1000000 ">1 ") "1.2.3"'),
  action('semverCompare (repeat 1000000 "1||") "1.2.3"'),
  action('duration (repeat 10000000 "1")'),
  action('durationRound (repeat 5000000 "1h")'),
  action('urlParse (repeat 10000000 "a")'),
  action('b64dec (repeat 30000000 "a")'),
  action('splitList "" (repeat 30000000 "a")'),
  action('split "" (repeat 30000000 "a")'),
  action('splitn "" 30000000 (repeat 30000000 "a")'),
  action('regexSplit "" (repeat 30000000 "a") -1'),
  action('sortAlpha (splitList "" (repeat 30000000 "a"))'),
  action('shuffle (repeat 30000000 "a")'),
  action('snakecase (repeat 30000000 "aB1_ ")'),
  action('camelcase (repeat 6000000 "aB1_ ")'),
  action('initials (repeat 15000000 "a ")'),
  action('swapcase (repeat 15000000 "aB")'),
  action('untitle (repeat 15000000 "A ")'),
  action('title (repeat 15000000 "ä ")'),
  action('upper (repeat 30000000 "ß")'),
  action('nospace (repeat 15000000 "a ")'),
  action('wrap 1 (repeat 15000000 "a ")'),
  action('abbrevboth 5 30000000 (repeat 30000000 "ä") | repeat 10'),
  action('trimAll "a" (repeat 30000000 "a") | repeat 10 | repeat 100000000'),
  action('printf "%1000000000d" 1 | repeat 100000000'),
  action('printf "%999999d%999999d%999999d" 1 1 1 | repeat 1000'),
  action('printf (repeat 1000000 "%999999d") 1'),
  action('printf (repeat 100000 "%[1]999999d") 1'),
  action('printf (repeat 10000 "%[1]*[1]d") 999999'),
  action('printf (repeat 1000 "%[1]s") .large'),
  action('printf (repeat 3000000 "%[1]q") .large'),
  action('printf "%.999999f%.999999e" 1e308 1e-308 | repeat 1000'),
  action('printf (repeat 1000 "%.999999f") 1.5 | repeat 1000'),
  action('range until 100000 }}{{ $_ := printf "%.999999f" 1e300 }}{{ end'),
  action('range until 1000 }}{{ $_ := derivePassword 1 "long" "p" "u" "s" }}{{ end'),
  action('range until 100000 }}{{ $_ := bcrypt "x" }}{{ end'),
  action('range until 100000 }}{{ $_ := htpasswd "u" "x" }}{{ end'),
  action('range until 100000 }}{{ $_ := genPrivateKey "rsa" }}{{ end'),
  action('range until 100000 }}{{ $_ := genCA "x" 1 }}{{ end'),
  action('range until 100000 }}{{ $_ := regexMatch (repeat 1000 "x?") "x" }}{{ end'),
  action("range until 10000000 }}{{ end"),
  action("range $i, $_ := until 100000 }}{{ range until 100000 }}{{ end }}{{ end"),
  { name: "a list by append", text: "{{ $l := list }}{{ range until 1000000 }}{{ $l = append $l 1 }}{{ end }}" },
  { name: "a list that doubles", text: "{{ $l := list 1 2 }}{{ range until 60 }}{{ $l = concat $l $l }}{{ end }}" },
  {
    name: "a list that holds itself twice",
    text: "{{ $l := list 1 2 }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}{{ $l }}",
  },
  {
    name: "a map that grows",
    text: '{{ $d := dict }}{{ range until 100000000 }}{{ $_ := set $d (print .) "x" }}{{ end }}',
  },
  {
    name: "keys that grow",
    text: '{{ $d := dict }}{{ $x := "x" }}{{ range until 1000000 }}{{ $x = print $x "0123456789" }}{{ $_ := set $d $x 1 }}{{ end }}',
  },
  { name: "uniq of numbers", text: "{{ until 1000000 | uniq | len }}" },
  { name: "has in a loop", text: "{{ $l := until 100000 }}{{ range $l }}{{ $_ := has -1 $l }}{{ end }}" },
  {
    name: "without in a loop",
    text: "{{ $l := until 1000 }}{{ range until 100000 }}{{ $_ := without $l -1 -2 -3 }}{{ end }}",
  },
  { name: "output that grows", text: "{{ range until 1000000 }}{{ $.large }}{{ end }}" },
  {
    name: "output that grows by templates",
    text: '{{ define "a" }}{{ $.large }}{{ end }}{{ range until 1000000 }}{{ template "a" $ }}{{ end }}',
  },
  ...[
    "toJson $x",
    "quote $x",
    "js $x",
    'printf "%q" $x',
    'printf "%x" $x',
    "b64enc $x",
    "b32enc $x",
    "print $x $x",
    "cat $x $x",
    'printf "%s%s" $x $x',
    "join $x (list $x $x)",
    'replace "a" "aaaaaaaaaaaaaaaa" $x',
    "repeat 16 $x",
    "squote $x $x",
    'regexReplaceAll "a" $x "aaaaaaaaaa"',
    "wrapWith 1 $x $x",
    "toPrettyJson (list $x $x)",
    "list $x $x | toStrings | toString",
  ].map((each) => growing(each)),
  ...[
    "sha512sum $x",
    "b64enc $x",
    "upper $x",
    "title $x",
    "snakecase $x",
    "camelcase $x",
    "wrap 3 $x",
    "quote $x",
    "html $x",
    "toJson $x",
    'split "," $x',
    'regexFindAll "[a-z]" $x -1',
    'contains "zz" $x',
    'trimAll "zz" $x',
    "adler32sum $x",
    "substr 1 999999 $x",
    "nospace $x",
    'regexMatch "z" $x',
    'replace "z" "" $x',
    'eq $x "a"',
    "len $x",
    "shuffle $x",
    "initials $x",
    "indent 1 $x",
    'printf "%s" $x',
    'printf "%q" $x',
    "trunc 5 $x",
    "slice $x 1 5",
    "index $x 5",
    "fromJson $x",
    "urlParse $x",
    "b64dec $x",
    "clean $x",
    "sortAlpha (list $x $x)",
    "list $x | uniq | len",
    "deepEqual $x (print $x)",
  ].map((each) => repeated(each)),
  ...walks.filter((walk) => !/^(deepEqual|has) /.test(walk)).map(cyclic),
  ...["deepEqual $d $e", "has $d (list $e)"].map((walk) => harmless(cyclic(walk))),
  ...[
    "deepEqual $d $f",
    "merge $d $d",
    "mergeOverwrite $d $f",
    "merge (dict) $d | toJson",
    "deepCopy $e",
    "toJson $e",
    "$e",
    'dig "x" "x" 1 $d | toString',
    "values $d",
    'pick $d "x"',
    "tuple $e | toStrings",
    'printf "%T%v" $e $e',
    "eq $d $e",
    "coalesce $d | toJson",
    "dict $d 1",
    "concat (list $d) (list $e) | print",
    'get $d "x" | quote',
    "range $k, $v := $d }}{{ $v }}{{ end",
  ].map(cyclic),
  ...walks.map(wide),
  ...walks.map(deep),
  {
    name: "data that is 200,000 lists deep",
    text: "{{ . }}",
    data: () => JSON.parse(times(200_000, "[") + times(200_000, "]")),
  },
  {
    name: "data that is 200,000 maps deep",
    text: "{{ toJson . }}",
    data: () => {
      let data: unknown = {};
      for (let i = 0; i < 200_000; i++) data = { a: data };
      return data;
    },
  },
];

/** All of them. */
export const badInputs: readonly BadInput[] = [...badTemplates, ...badExecutions];
