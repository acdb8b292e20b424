import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { diffObjects } from "./field-diff.ts";
import { ChangeMask } from "./mask-changes.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function object(kind: string, fields: Record<string, unknown>, metadata: object = {}): UnstructuredObject {
  return { apiVersion: "v1", kind, metadata: { name: "a", ...metadata }, ...fields };
}

async function masked(
  from: UnstructuredObject | undefined,
  to: UnstructuredObject,
  others: UnstructuredObject[] = [],
): Promise<string> {
  const fields = diffObjects(from, to);
  return JSON.stringify((await new ChangeMask([from, to, ...others]).mask([{ object: to, fields }])).flat());
}

const sentinel = "sentinel-value";
const secret = object("Secret", { data: { key: base64(sentinel) } });

describe("a diff of integers of 64 bits", () => {
  const spec = (limit: number | bigint) => object("Thing", { spec: { limit } });

  it("shows every digit", async () => {
    expect(await masked(spec(9_223_372_036_854_775_806n), spec(9_223_372_036_854_775_807n))).toBe(
      '[{"path":".spec.limit","type":"changed","from":9223372036854775806,"to":9223372036854775807}]',
    );
  });

  it("is empty if the server stores the same", async () => {
    expect(await masked(spec(2 ** 64), spec(18_446_744_073_709_551_615n))).toBe("[]");
  });

  it("hides digits that are in a Secret", async () => {
    const digits = object("Secret", { data: { key: base64("9223372036854775807") } });
    expect(await masked(spec(1), spec(9_223_372_036_854_775_807n), [digits])).not.toContain("9223372036854775807");
  });
});

describe("a diff does not show", () => {
  const rows: readonly (readonly [
    name: string,
    from: UnstructuredObject | undefined,
    to: UnstructuredObject,
    others?: UnstructuredObject[],
  ])[] = [
    ["data of a Secret", undefined, secret],
    ["what the data of a Secret was", secret, object("Secret", { data: { key: base64("another") } })],
    ["stringData of a Secret", undefined, object("Secret", { stringData: { key: sentinel } })],
    ["annotations of a Secret", undefined, object("Secret", {}, { annotations: { note: sentinel } })],
    [
      "the last applied configuration",
      undefined,
      object("Any", {}, { annotations: { "kubectl.kubernetes.io/last-applied-configuration": sentinel } }),
    ],
    ["a value of a Secret elsewhere", undefined, object("ConfigMap", { data: { text: `x ${sentinel} y` } }), [secret]],
    ["a value of a Secret deep inside", undefined, object("Any", { spec: { list: [{ a: [sentinel] }] } }), [secret]],
    ["a password", undefined, object("ConfigMap", { data: { "db-password": sentinel } })],
    ["a token in a list", undefined, object("Any", { spec: { users: [{ name: "u", apiToken: sentinel }, 1] } })],
    [
      "an environment variable with a secret's name",
      undefined,
      object("Pod", { spec: { containers: [{ name: "main", env: [{ name: "DB_PASSWORD", value: sentinel }] }] } }),
    ],
    [
      "such a variable when it changes",
      object("Pod", { spec: { env: [{ name: "API_KEY", value: "a" }] } }),
      object("Pod", { spec: { env: [{ name: "API_KEY", value: sentinel }] } }),
    ],
  ];
  it.each(rows)("%s", async (...[, from, to, others]) => {
    const text = await masked(from, to, others);
    expect(text).not.toContain(sentinel);
    expect(text).not.toContain(base64(sentinel));
    expect(text).toMatch(/masked|\[\.\.\.\]/);
  });
});

it("shows the type and labels of a Secret, and everything of other objects", async () => {
  expect(await masked(undefined, object("Secret", { type: "Opaque" }, { labels: { a: "b" } }))).toBe(
    '[{"path":".metadata.labels.a","type":"added","to":"b"},{"path":".type","type":"added","to":"Opaque"}]',
  );
  expect(await masked(undefined, object("ConfigMap", { data: { text: "hello" } }), [secret])).toBe(
    '[{"path":".data.text","type":"added","to":"hello"}]',
  );
});

it("takes the secrets apart once for all objects", async () => {
  let reads = 0;
  const data = {
    get key() {
      reads++;
      return base64(sentinel);
    },
  };
  const others = Array.from({ length: 50 }, (_, index) =>
    object("ConfigMap", { data: { text: `${sentinel} ${index}` } }),
  );
  const mask = new ChangeMask([{ ...secret, data }]);
  const readsBefore = reads;
  const masked = await mask.mask(others.map((each) => ({ object: each, fields: diffObjects(undefined, each) })));
  expect(masked.map(([field]) => field?.to)).toEqual(others.map((_, index) => `[...] ${index}`));
  expect(reads - readsBefore).toBeLessThan(3);
});
