import { gunzipSync, gzipSync } from "node:zlib";
import { type ChartCase, packArchive } from "@landscaper/helm/testing";
import * as fc from "fast-check";

const chartYaml = { name: "c/Chart.yaml", content: "{apiVersion: v2, name: c, version: 1.0.0}\n" };
/** Shows the files that Helm has read. */
const show = {
  name: "c/templates/show.yaml",
  content: "{{ range $name, $data := .Files }}{{ quote $name }}: {{ toString $data | b64enc }}\n{{ end }}",
};
const inner = await packArchive({ archive: [{ name: "s/Chart.yaml", content: "{name: s, version: 1.0.0}" }] });
const longName = `c/${"long/".repeat(40)}x.txt`;

/** Archives as tar has them: of a few entries, with links and folders, with a packed dependency, with a long name. */
const tars = await Promise.all(
  [
    [
      chartYaml,
      { name: "c/values.yaml", content: "a: 1\n" },
      { name: "c/templates/a.yaml", content: "a: {{ .Values.a }}\n" },
      show,
    ],
    [
      { name: "c/", type: "directory" as const },
      chartYaml,
      { name: "c/link", type: "symlink" as const, target: "Chart.yaml" },
      { name: "c/data.txt", content: { fill: "x", bytes: 700 } },
      show,
    ],
    [chartYaml, show, { name: "c/charts/s-1.0.0.tgz", content: { base64: inner.toString("base64") } }],
    [chartYaml, show, { name: longName, content: "long" }, { name: "c/é.txt", content: "é" }],
  ].map(async (archive) => gunzipSync(await packArchive({ archive }))),
);

/** Bytes of an archive by what is done to them. */
const edit = fc.oneof(
  fc.record({ kind: fc.constant("byte" as const), at: fc.nat(4096), value: fc.integer({ min: 0, max: 255 }) }),
  // Fields of headers are texts, most of them octal.
  fc.record({
    kind: fc.constant("byte" as const),
    at: fc.nat(512),
    value: fc.constantFrom(0, 32, 45, 47, 48, 55, 56, 120),
  }),
  // The kind of an entry, its size and its format.
  fc.record({
    kind: fc.constant("byte" as const),
    at: fc.tuple(fc.nat(7), fc.constantFrom(156, 124, 134, 257, 262, 263)).map(([block, at]) => block * 512 + at),
    value: fc.constantFrom(...Buffer.from("012345678xgLKSDVN "), 0, 0x80, 0xff),
  }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(4096), value: fc.constant(0) }),
  fc.record({ kind: fc.constant("drop" as const), at: fc.nat(8), value: fc.constant(0) }),
  fc.record({ kind: fc.constant("twice" as const), at: fc.nat(8), value: fc.constant(0) }),
);

function edited(tar: Buffer, edits: readonly (typeof edit extends fc.Arbitrary<infer T> ? T : never)[]): Buffer {
  let bytes = Buffer.from(tar);
  for (const { kind, at, value } of edits) {
    const block = at * 512;
    if (kind === "byte") bytes[at % Math.max(bytes.length, 1)] = value;
    else if (kind === "cut") bytes = bytes.subarray(0, at % Math.max(bytes.length, 1));
    else if (kind === "drop") bytes = Buffer.concat([bytes.subarray(0, block), bytes.subarray(block + 512)]);
    else bytes = Buffer.concat([bytes.subarray(0, block + 512), bytes.subarray(block)]);
  }
  return bytes;
}

/** Recomputes checksums, so that changed headers are read. */
function withChecksums(tar: Buffer): Buffer {
  const bytes = Buffer.from(tar);
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    if (bytes.toString("latin1", at + 257, at + 262) !== "ustar") continue;
    bytes.fill(" ", at + 148, at + 156);
    const sum = bytes.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148, "latin1");
  }
  return bytes;
}

/** A packed chart with a few bytes of its tar changed, cut off or doubled, some with the end of the whole cut off. */
export const helmArchiveCase: fc.Arbitrary<ChartCase> = fc
  .record({
    tar: fc.constantFrom(...tars),
    edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
    isConsistent: fc.boolean(),
    cut: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, fc.nat(200)),
  })
  .map(({ tar, edits, isConsistent, cut }) => {
    const bytes = edited(tar, edits);
    const packed = gzipSync(isConsistent ? withChecksums(bytes) : bytes);
    const archive = packed.subarray(0, Math.max(0, packed.length - cut)).toString("base64");
    return { name: "generated", archive, show: ["files", "metadata", "sorted"] };
  });
