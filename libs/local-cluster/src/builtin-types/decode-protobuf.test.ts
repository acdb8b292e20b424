import { describe, expect, it } from "@jest/globals";
import { assert, nat, property, string } from "fast-check";
import { decodeProtobuf } from "./decode-protobuf.ts";
import { readFields } from "./protobuf-reader.ts";

// A writer of the same wire format, small enough to be seen through.
const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest > 0n);
  return Buffer.from(bytes);
};
const number = (field: number, value: number): Buffer =>
  Buffer.concat([varint(BigInt(field << 3)), varint(BigInt(value))]);
const bytes = (field: number, ...content: readonly (Buffer | string)[]): Buffer => {
  const all = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(all.length)), all]);
};
const envelope = (apiVersion: string, kind: string, object: Buffer): Buffer =>
  Buffer.concat([Buffer.from("k8s\0"), bytes(1, bytes(1, apiVersion), bytes(2, kind)), bytes(2, object)]);

describe("decodeProtobuf", () => {
  it("reads texts, bytes, maps and times", () => {
    const metadata = bytes(
      1,
      bytes(1, "s"),
      bytes(8, number(1, 1_767_225_600)),
      bytes(11, bytes(1, "k"), bytes(2, "v")),
    );
    const data = bytes(2, bytes(1, "key"), bytes(2, "value"));
    const empty = bytes(2, bytes(1, "none"));
    expect(
      decodeProtobuf(envelope("v1", "Secret", Buffer.concat([metadata, data, empty, bytes(3, "Opaque")]))),
    ).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", creationTimestamp: "2026-01-01T00:00:00Z", labels: { k: "v" } },
      data: { key: "dmFsdWU=", none: "" },
      type: "Opaque",
    });
  });

  it("reads the zero time as null", () => {
    const object = decodeProtobuf(envelope("v1", "ConfigMap", bytes(1, bytes(1, "c"), bytes(8))));
    expect(object).toMatchObject({ metadata: { name: "c", creationTimestamp: null } });
  });

  it("reads ports that are numbers and ports that are names", () => {
    const port = (target: Buffer): Buffer => bytes(1, number(3, 80), bytes(4, target));
    const spec = bytes(
      2,
      port(Buffer.concat([number(1, 0), number(2, 8080)])),
      port(Buffer.concat([number(1, 1), bytes(3, "http")])),
    );
    expect(decodeProtobuf(envelope("v1", "Service", spec))).toMatchObject({
      spec: {
        ports: [
          { port: 80, targetPort: 8080 },
          { port: 80, targetPort: "http" },
        ],
      },
    });
  });

  it("reads negative numbers, quantities, micro times and lists in maps", () => {
    const deployment = envelope("apps/v1", "Deployment", bytes(2, number(1, -1)));
    expect(decodeProtobuf(deployment)).toMatchObject({ spec: { replicas: -1 } });
    const quota = envelope("v1", "ResourceQuota", bytes(2, bytes(1, bytes(1, "cpu"), bytes(2, bytes(1, "500m")))));
    expect(decodeProtobuf(quota)).toMatchObject({ spec: { hard: { cpu: "500m" } } });
    const time = Buffer.concat([number(1, 1_767_225_600), number(2, 123_456_000)]);
    const lease = envelope("coordination.k8s.io/v1", "Lease", bytes(2, bytes(4, time)));
    expect(decodeProtobuf(lease)).toMatchObject({ spec: { renewTime: "2026-01-01T00:00:00.123456Z" } });
    const extra = bytes(5, bytes(1, "scopes"), bytes(2, bytes(1, "a"), bytes(1, "b")));
    const review = envelope("authorization.k8s.io/v1", "SubjectAccessReview", bytes(2, extra));
    expect(decodeProtobuf(review)).toMatchObject({ spec: { extra: { scopes: ["a", "b"] } } });
  });

  it("reads booleans and embedded documents", () => {
    const revision = envelope(
      "apps/v1",
      "ControllerRevision",
      Buffer.concat([bytes(2, bytes(1, '{"a":[1]}')), number(3, 7)]),
    );
    expect(decodeProtobuf(revision)).toMatchObject({ data: { a: [1] }, revision: 7 });
    expect(decodeProtobuf(envelope("v1", "ConfigMap", number(4, 1)))).toMatchObject({ immutable: true });
  });

  it("leaves out fields that it does not know", () => {
    expect(decodeProtobuf(envelope("v1", "ConfigMap", Buffer.concat([number(99, 1), bytes(98, "x")])))).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
    });
  });

  it("refuses what is no protobuf of a kind that it knows", () => {
    expect(() => decodeProtobuf(Buffer.from("{}"))).toThrow(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
    expect(() => decodeProtobuf(envelope("x.y/v1", "Thing", Buffer.alloc(0)))).toThrow(
      "no protobuf form is known for x.y/v1 Thing",
    );
  });
});

describe("readFields", () => {
  it("reads back numbers and texts", () => {
    assert(
      property(nat(), string(), (value, text) => {
        expect(readFields(Buffer.concat([number(1, value), bytes(2, text)]))).toEqual([
          { number: 1, varint: BigInt(value) },
          { number: 2, bytes: Buffer.from(text) },
        ]);
      }),
    );
  });

  it("reads doubles and passes over 32-bit values", () => {
    const double = Buffer.alloc(8);
    double.writeDoubleLE(1.5);
    const message = Buffer.concat([Buffer.from([0x09]), double, Buffer.from([0x15, 1, 2, 3, 4]), number(3, 1)]);
    expect(readFields(message)).toEqual([
      { number: 1, double: 1.5 },
      { number: 3, varint: 1n },
    ]);
  });

  const broken: readonly (readonly [string, readonly number[], string])[] = [
    ["a text that is cut", [0x0a, 5, 1], "protobuf: unexpected end of message"],
    ["a number without end", Array.from({ length: 12 }, () => 0x80), "protobuf: varint is too long"],
    ["a group", [0x0b], "protobuf: wire type 3 is not supported"],
  ];
  for (const [what, message, text] of broken) {
    it(`refuses ${what}`, () => {
      expect(() => readFields(Buffer.from(message))).toThrow(text);
    });
  }
});
