export interface SpiffCase {
  readonly name: string;
  readonly text: string;
  /** Most milliseconds that one evaluation may take, where a number is asked for. */
  readonly limitMilliseconds?: number;
}

function numbered(count: number, line: (i: number, name: string) => readonly string[]): string[] {
  return Array.from({ length: count }, (_, i) => line(i, String(i).padStart(5, "0"))).flat();
}

/** A list of maps: ten nodes an entry, four of them expressions. */
function listDocument(nodes: number): string {
  const entries = numbered(nodes / 10, (i, name) => [
    `- name: n${name}`,
    `  number: ${8000 + i}`,
    '  host: (( name "." base.domain ))',
    "  next: (( number + 1 ))",
    "  isLow: (( number < 8100 ))",
    `  tags: [a${i}, b]`,
    '  joined: (( join(",", tags) ))',
  ]);
  return ["base:", "  domain: example.com", "list:", ...entries, ""].join("\n");
}

/** Entries that refer to each other, one to the next. */
const chainLength = 10;

/** A map of maps with chains of references: ten nodes an entry, six of them expressions. */
function mapDocument(nodes: number): string {
  const entries = numbered(nodes / 10, (i, name) => [
    `  e${name}:`,
    `    name: e${name}`,
    `    size: ${i % 7}`,
    i % chainLength === 0
      ? "    sum: (( size + base.start ))"
      : `    sum: (( entries.e${String(i - 1).padStart(5, "0")}.sum + size ))`,
    '    host: (( name "." base.domain ))',
    '    url: (( "https://" host ":8443" ))',
    "    isLarge: (( size > 3 ))",
    '    kind: (( isLarge ? "large" :"small" ))',
    "    copy: (( base.labels ))",
    "    plain: text",
  ]);
  const base = ["base:", "  domain: example.com", "  start: 100", "  labels: {team: a}"];
  return [...base, "entries:", ...entries, ""].join("\n");
}

function plainDocument(nodes: number): string {
  const entries = numbered(nodes / 5, (i, name) => [
    `- name: n${name}`,
    `  number: ${i}`,
    "  isOn: true",
    "  text: some words of text",
  ]);
  return ["list:", ...entries, ""].join("\n");
}

/** One mapping over a list of 3,300 maps. */
function mappingDocument(entries: number): string {
  const source = numbered(entries, (i, name) => [`- {name: n${name}, number: ${i}}`]);
  return [
    "source:",
    ...source,
    'result: (( map[source|entry|->{"name"=entry.name, "next"=entry.number + 1, "host"=entry.name ".example.com"}] ))',
    "",
  ].join("\n");
}

const smallMapping = [
  'name: (( base.prefix "-web" ))',
  "replicas: (( base.size * 2 ))",
  'host: (( name "." base.domain ))',
  "ports: (( map[base.ports|p|->p + 1] ))",
  "isLarge: (( replicas > 3 ))",
  "base: {prefix: rel, size: 2, domain: example.com, ports: [80, 443]}",
  "",
].join("\n");

/** The documents whose times the specification of the language gives (spiff.md §8). */
export function spiffCases(): SpiffCase[] {
  return [
    { name: "small mapping", text: smallMapping },
    { name: "list of 1,000 nodes", text: listDocument(1_000) },
    { name: "list of 10,000 nodes", text: listDocument(10_000), limitMilliseconds: 200 },
    { name: "chained map of 1,000 nodes", text: mapDocument(1_000) },
    { name: "chained map of 10,000 nodes", text: mapDocument(10_000), limitMilliseconds: 200 },
    { name: "10,000 plain nodes", text: plainDocument(10_000), limitMilliseconds: 50 },
    { name: "mapping of 3,300 entries", text: mappingDocument(3_300) },
  ];
}
