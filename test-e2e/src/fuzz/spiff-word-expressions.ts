import * as fc from "fast-check";

/**
 * Expressions that have a value among the surroundings of spiff-whole-documents.ts, so that every operator and function of the language
 * occurs in documents that succeed. Alternatives of a part stand between « and », separated by ¦.
 *
 * Results that are random are only checked. Not here, as the pinned original does not know them: `optional`, `deepmerge`, `filter[..]`.
 * Not here either: what reaches the machine (`exec pipe env write tempfile mkdir`, `_uncached`).
 */
const table = String.raw`
join("«,¦-¦»", «d.l¦["a", "b"]¦kl.[*].name», «"x"¦d.s¦d.k»)
split("«,¦»", "a,b«¦,c»")
split_match("«[,;]¦b+»", "a,b;c")
trim(«" x "¦[" a", "b "]»)
trim("xax", "x")
replace("aba", "«a¦b¦z»", "«x¦»"«¦, 1»)
replace_match("a1b22", "«[0-9]+¦(a)(1)?»", "«<$0>¦${"$"}{1}»"«¦, 1»)
substr("abcdef", «0¦1¦-5», «2¦4¦-1»)
match("«(a)(b)?¦x»", "ab«¦ab»")
upper("aB«1¦c»")
lower("Ab«1¦C»")
format("«%s¦%v¦%5s¦%-5s|¦%q»", «d.s¦"a"»)
format("«%d¦%v¦%05d¦%x»", «d.k¦7»)
length(«"abc"¦d.l¦d.m¦kl»)
contains(«d.l, 1¦"abc", "b"¦d.m, "u"»)
index(«d.l, 2¦"abc", "c"¦[1, 2, 1], 1»)
lastindex(«d.l, 2¦"abca", "a"¦[1, 2, 1], 1»)
basename("«/a/b¦a/b.c¦¦http://h/a/b»")
dirname("«/a/b¦a/b.c¦¦http://h/a/b»")
parseurl("http://«u@¦»h«:80¦»/a?b=c«#f¦»")
element(«d.l, 0¦d.m, "u"¦kl, 1»)
compact([1, «~¦""¦2», "a"])
uniq([1, «1¦2», "a", "a"])
sort([«3, 1, 2¦"b", "a"¦2, 1»])
sort([3, 1, 2], |a,b|-> a «<¦>» b)
reverse([1, 2, «3¦"a"¦[4]»])
intersect([1, 2, 3], [«2, 3¦3¦1, 4»])
keys(«d.m¦d¦lib.t == 1 ? d :d.m»)
makemap("a", «1¦d.m», "b", «d.l¦"x"»)
list_to_map(kl«¦, "name"»)
merge(d.m, { "«u¦v¦z»" = «5¦d.l» })
type(«d.k¦d.s¦d.l¦d.m¦1.5¦true¦~¦lib.t¦lib.add»)
string(«d.k¦1.5¦true¦"x"»)
string(«10¦255», «2¦8¦16»)
integer("«12¦-3»")
float(«"1.5"¦2¦"3"»)
bool(«"true"¦1¦0¦"false"»)
defined(«d.k¦missing¦d.m.zz», d.s)
valid(«d.k¦missing¦~¦~~»)
require(«d.k¦d.m»)
stub(«¦"d.m"») || «1¦d.l»
catch(«d.k¦d.k + 1¦d.l»)
catch(error("«bad %s¦x»", «d.s¦d.k»)).valid
error("x") || «1¦d.m»
eval("«1 + 2¦d.k¦[d.s]»")
tagdef("«w1¦w2¦w:w3»", «1¦d.m¦d.s»)
type(features())
base64("«abc¦¦a b»"«¦, 4»)
base64_decode("«YWJj¦YWI=¦»")
asjson(«d.m¦d.l¦d¦"<a>"»)
asyaml(«d.m¦d.l¦d¦"a"»)
parse("«a: 1¦[1, x]¦- a¦~»"«¦, "yaml"¦, "import"¦, "text"»)
hash("a«b¦»"«¦, "md4"¦, "md5"¦, "sha1"¦, "sha224"¦, "sha256"¦, "sha384"¦, "sha512"¦, "sha512/224"¦, "sha512/256"»)
md5("a«b¦»")
bcrypt_check("«a¦b»", bcrypt("a", 4))
md5crypt_check("«a¦b»", md5crypt("a"))
decrypt(encrypt(«"a"¦d.m¦d.l», "key"), "key")
length(rand("[«a-z¦0-9¦:alnum:»]", «3¦5»))
type(rand(«10¦true¦»))
ceil(«1.5¦-2.5¦0.3¦4»)
floor(«1.5¦-2.5¦0.3¦4»)
round(«1.5¦-2.5¦0.3¦4»)
roundtoeven(«1.5¦-2.5¦0.3¦4»)
abs(«-1¦1.5¦-2.5»)
sin(«0¦0.0»)
cos(«0¦0.0»)
sinh(«0¦0.0»)
cosh(«0¦0.0»)
asinh(«0¦0.0»)
exp(«0¦0.0»)
asin(0)
sqrt(0)
acos(1)
acosh(1)
log(1)
log10(1)
min_ip("10.0.0.«0¦7»/«24¦30»")
max_ip("10.0.0.«0¦7»/«24¦30»")
num_ip("10.0.0.«0¦7»/«24¦30»")
contains_ip("10.0.0.0/24", "10.0.«0¦1».5")
ipset("10.0.0.0/24", «1¦2»«¦, 1, 4»)
ipset(["10.0.0.0/30", "10.1.0.5-10.1.0.9"], «2¦5»)
semver("«v1.2.3¦1.2¦1.2.3-rc.1+b»")
semverrelease("1.2.3-rc.1"«¦, "2.0.0"»)
semvermajor("1.2.3«-rc.1¦»")
semverminor("1.2.3«-rc.1¦»")
semverpatch("1.2.3«-rc.1¦»")
semverincpatch("1.2.3«-rc.1¦»")
semverincmajor("1.2.3«-rc.1¦»")
semverincminor("1.2.3«-rc.1¦»")
semverprerelease("1.2.3«-rc.1¦»"«¦, "beta"»)
semvermetadata("1.2.3«+b¦»"«¦, "x"»)
semvercmp("1.2.«3¦4»", "1.2.«3¦2»")
semvermatch("1.2.3", "«~1.2¦^1¦>=2¦1.x»")
semvervalidate("1.2.3", "«~1.2¦^1»")
semversort("1.2.«3¦0»", "1.2.«2¦4»", "1.0.0")
validate("ab", «"!empty"¦"dnslabel"¦"dnsname"¦"dnsdomain"¦["match", "a"]¦["~=", "b$"]¦["value", "ab"]¦["=", "ab"]¦["valueset", ["ab"]]»)
validate(5, «["type", "int"]¦["gt", 4]¦["lt", 6]¦["ge", 5]¦["le", 5]¦["and", ["gt", 1], ["lt", 9]]¦["or", ["gt", 9], ["lt", 9]]¦["not", ["gt", 9]]»)
check(«5¦"ab"¦d.l¦d.m», «["type", "int"]¦"list"¦"map"¦["list", ["type", "int"]]¦["mapfield", "u"]¦["optionalfield", "zz", ["type", "int"]]»)
check("«a¦»", "empty")
check("«10.0.0.1¦10.0.0.0/8¦1.2.3¦*.a.b¦x»", "«ip¦cidr¦semver¦wildcarddnsdomain¦publickey¦privatekey¦certificate¦ca»")
validate(d.k, |x|-> «x == 1¦[x == 1, "one", "not one"]»)
check(x509publickey(x509genkey("P256")«¦, "pem"¦, "pkix"»), "«publickey¦privatekey¦!privatekey»")
x509parsecert(x509cert({ "commonName" = "«a¦b»", "privateKey" = x509genkey("P256"), "validity" = «10¦48» })).«commonName¦validity¦isCA»
length(wgpublickey(wggenkey(«¦"private"»)))
read("«f.txt¦dir/g.json¦dir/sub/x.yaml»")
read("dir/sub/x.yaml", "«yaml¦import»")
read("f.txt", "«text¦binary»")
read("multi.yaml", "«multiyaml¦importmulti»")
*read("dir/sub/x.yaml", "template")
lookup_file("«f.txt¦g.json»", ".", "dir")
lookup_dir("sub", "dir"«¦, "."»)
list_files("«.¦dir»")
list_dirs("«.¦dir»")
length(archive({ "a" = "«x¦y»" }«¦, "tar"¦, "targz"»)) > 0
sync(«5¦d.k», «true¦value == value»)
sync[«d.k¦"a"»|v|-> defined(v), v|1]
missing «||¦//» «d.k¦d.l»
~ // «d.k¦d.m»
«d.k == 1¦d.s == "y"¦true» ? «1¦d.l» :«2¦d.m»
«d.s¦"a"» «d.k¦"b"¦true»
«d.l¦[]» «[3]¦d.k¦~»
«d.m¦{}» «{ "u" = 5 }¦~»
«true¦false¦5» -or «true¦d.k == 2¦3»
«true¦false¦5» -and «true¦d.k == 2¦3»
«d.k¦2¦7» «+¦-¦*¦/¦%» «2¦3¦d.k»
«1.5¦d.k» «+¦-¦*¦/» 0.5
10.0.0.«1¦5» «+¦-» «1¦d.k»
10.0.0.«1¦5» - 10.0.0.1
"10.0.0.0/24" «*¦/» «2¦4»
«d.k¦2» «==¦!=» «1¦2»
«d.k¦2» <= «1¦2»
«d.k¦2» >= «1¦2»
«d.k¦2» «<¦>» «1¦2»
«7¦-7¦d.k» % «2¦3»
"«a¦b»" «==¦!=¦<=¦>=¦<¦>» "b"
«d.l¦d.m» «==¦!=» «[1, 2]¦{ "u" = 1, "v" = "w" }»
!«d.k¦(d.l == [])¦~»
*lib.«t¦e»
(*lib.t).«p¦q¦r»
( "x" = «d.k¦2», $y = "«z¦»" ) [x, y]
(|x,y=2|-> [x, y])(«1¦1, 3¦y=5, 1»)
(|x,z...|-> [x, z])(«1¦1, 3¦1, d.l...»)
join(",", d.l...«¦, 5»)
lib.both*(«1¦y=2»)(«4¦d.k»)
lib.add(«1¦d.k¦2 + 3»)
(lambda lib.add)(«1¦2»)
[«1¦d.k», «d.l...¦2»]
[«1¦3»..«3¦0»]
{ "«a¦b»" = «1¦d.l», $c = «d.s¦~», ( d.s ) = 3 }
10.0.«0¦1».1
«~¦nil¦true¦1_000¦1e3¦$sym»
~~ || «1¦d.k»
map[«d.l¦[1, 2]»|x|-> «x + 1¦[x]¦~»]
map[«d.m¦kl»|k,x|-> «k¦x»]
map{«d.m¦{}»|k,x|-> «k¦x¦[x]»}
map{["a", "b"]|x|-> «x¦x "1"»}
select[«d.l¦[1, 2, 3]»|x|-> x «>¦==» 1]
select{d.m|k,x|-> k == "«u¦v»"}
sum[«d.l¦[4]»|«0¦1»|s,x|-> s + x]
sum[d.m|[]|s,k,x|-> s [«k¦x»]]
catch[«missing¦d.k»|v,e|-> «defined(v)¦e¦v»]
kl.«a¦b».v
kl.«[0]¦[-1]».name
kl[«0¦1¦-1»].v
d[«"m"¦"l"¦["m", "u"]»]
d.l[«0..1¦1..¦..0¦-2..-1»]
kl[«*¦0..0¦1..»].name
kl[«0..1¦-1..-1»].v
kl.[*].«name¦v»
d.m.[*]
.d.«k¦l¦m»
__.«near¦far» || «1¦d.k»
[__.near, «1¦2»]
___.bound || «1¦d.k»
__ctx.FILE
__ctx.DIR
__ctx.RESOLVED_FILE
__ctx.RESOLVED_DIR
__ctx.VERSION
length(__ctx.PATH) > 0
length(__ctx.STUBPATH) > 0
type(__ctx.PATHNAME)
__ctx.BINDINGS.bound || «1¦d.k»
type(__ctx.OUTER || ~)
(merge || «d.k¦d.l»)
merge d.«k¦m¦l» || «1¦d»
merge none
merge replace || «nil¦d.k»
merge required || «nil¦d.m»
merge on «v¦name» || «nil¦kl»
prefer «d.k¦d.m¦kl»
td::«k¦l¦m.u»
td::.
tg::.
lib:td::«k¦.»
`;

/** All texts of a line of the table. */
function lineExpression(line: string): fc.Arbitrary<string> {
  const parts = line.split(/[«»]/).map((part, index) => (index % 2 === 0 ? [part] : part.split("¦")));
  return fc.tuple(...parts.map((choices) => fc.constantFrom(...choices))).map((chosen) => chosen.join(""));
}

/** An expression of the table; each line is as likely as the others. */
export const wordExpression: fc.Arbitrary<string> = fc
  .constantFrom(
    ...table
      .trim()
      .split("\n")
      .map((line) => lineExpression(line)),
  )
  .chain((expression) => expression);

/** Files that the expressions read. */
export const wordFiles = {
  "f.txt": "file",
  "dir/g.json": '{"k": [1, 2.5]}',
  "dir/sub/x.yaml": "a: (( 1 + 2 ))\nb: text\n",
  "multi.yaml": "a: 1\n---\nb: text\n",
} as const;
