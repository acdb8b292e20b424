import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { fromPlain, toPlain } from "./convert.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { isEmpty } from "./empty.ts";
import { GoInt, int, int64, wrapInt } from "./go-int.ts";
import { isTrue } from "./truth.ts";
import { elementTypeName, kindName, typeName, zeroOf } from "./type-name.ts";
import { byteLength, decodeUtf8, encodeUtf8, sliceBytes, toWellFormed } from "./utf8.ts";
import { NamedMap } from "./named-map.ts";
import { nilList, stringMap, strings, withType, type Value } from "./value.ts";

describe("utf8", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["é", 2],
    ["日", 3],
    ["😀", 4],
    ["a\udcffb", 3],
    ["\udc80\udcff", 2],
  ])("counts the bytes of %j", (text, length) => {
    expect(byteLength(text)).toBe(length);
    expect(encodeUtf8(text)).toHaveLength(length);
  });

  it("keeps any bytes through a string and back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = decodeUtf8(bytes);
        expect([...encodeUtf8(text)]).toEqual([...bytes]);
        expect(byteLength(text)).toBe(bytes.length);
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  it("cuts between bytes, and what is put together again is whole", () => {
    const text = "aé日😀z";
    for (let i = 0; i <= byteLength(text); i++) {
      const joined = encodeUtf8(sliceBytes(text, 0, i));
      const rest = encodeUtf8(sliceBytes(text, i, byteLength(text)));
      expect(decodeUtf8(Uint8Array.from([...joined, ...rest]))).toBe(text);
    }
  });

  it("shows broken characters as U+FFFD", () => {
    expect(toWellFormed(`x${sliceBytes("日", 0, 2)}y`)).toBe("x\ufffd\ufffdy");
  });
});

describe("types", () => {
  const values: readonly (readonly [Value, string, string, boolean, boolean])[] = [
    [undefined, "<nil>", "invalid", false, true],
    [null, "<nil>", "invalid", false, true],
    [true, "bool", "bool", true, false],
    [0, "float64", "float64", false, true],
    [Number.NaN, "float64", "float64", true, false],
    ["", "string", "string", false, true],
    ["0", "string", "string", true, false],
    [int(0), "int", "int", false, true],
    [int64(5), "int64", "int64", true, false],
    [new GoInt("uint8", 1n), "uint8", "uint8", true, false],
    [[], "[]interface {}", "slice", false, true],
    [[null], "[]interface {}", "slice", true, false],
    [strings(["a"]), "[]string", "slice", true, false],
    [nilList(), "[]interface {}", "slice", false, true],
    [new Map(), "map[string]interface {}", "map", false, true],
    [withType(new Map<string, Value>([["a", "b"]]), stringMap), "map[string]string", "map", true, false],
    [Uint8Array.from([1]), "[]uint8", "slice", true, false],
    [
      withType<Value[]>(["a", "b"], { name: "[2]string", element: "string", isArray: true }),
      "[2]string",
      "array",
      true,
      false,
    ],
  ];

  it.each(values.map((row, i) => [`${i} ${row[1]}`, row] as const))(
    "knows type, kind and truth of %s",
    (_, [value, ...wanted]) => {
      expect([typeName(value), kindName(value), isTrue(value), isEmpty(value)]).toEqual(wanted);
    },
  );

  it("knows element types and their zero values", () => {
    expect(elementTypeName([1])).toBe("interface {}");
    expect(elementTypeName(strings([]))).toBe("string");
    expect([zeroOf("string"), zeroOf("bool"), zeroOf("float64"), zeroOf("interface {}"), zeroOf("int")]).toEqual([
      "",
      false,
      0,
      null,
      int(0),
    ]);
  });

  it("wraps integers at the width of their type", () => {
    expect([
      wrapInt("uint8", 256n),
      wrapInt("int8", 128n),
      wrapInt("int64", 2n ** 63n),
      wrapInt("uint64", -1n),
    ]).toEqual([0n, -128n, -(2n ** 63n), 2n ** 64n - 1n]);
  });
});

describe("conversion", () => {
  it("copies plain data both ways", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.stringify(toPlain(fromPlain(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it("returns numbers, and bigint only where digits would be lost", () => {
    expect(toPlain([int(5), int64(2n ** 60n), fromPlain(7n)])).toEqual([5, 2n ** 60n, 7]);
  });

  it("takes undefined and functions for nil", () => {
    expect(fromPlain([undefined, () => 1, Symbol("x")])).toEqual([null, null, null]);
  });
});

describe("isDeepEqual", () => {
  const map = (entries: [string, Value][]): Value => new Map(entries);
  it.each<[Value, Value, boolean]>([
    [1, 1, true],
    [1, int(1), false],
    [int(1), int(1), true],
    [int(1), int64(1), false],
    ["a", "a", true],
    [null, undefined, true],
    [null, "", false],
    [[1, [2]], [1, [2]], true],
    [[1], [1, 2], false],
    [strings(["a"]), ["a"], false],
    [strings(["a"]), strings(["a"]), true],
    [nilList(), [], false],
    [nilList(), nilList(), true],
    [
      map([
        ["a", 1],
        ["b", 2],
      ]),
      map([
        ["b", 2],
        ["a", 1],
      ]),
      true,
    ],
    [map([["a", null]]), map([["b", null]]), false],
    [Uint8Array.from([1]), Uint8Array.from([1]), true],
    [Uint8Array.from([1]), Uint8Array.from([2]), false],
  ])("compares %j and %j", (a, b, equal) => {
    expect(isDeepEqual(a, b, { spend: () => undefined })).toBe(equal);
    expect(isDeepEqual(b, a, { spend: () => undefined })).toBe(equal);
  });
});

describe("NamedMap", () => {
  const type = { name: "chartutil.Values", element: "interface {}" };

  it("is a view: changes on either side are seen on the other", () => {
    const underlying = new Map<string, Value>([["a", 1]]);
    const named = new NamedMap(underlying, type);
    underlying.set("b", 2);
    named.set("c", 3).delete("a");
    expect([...named]).toEqual([
      ["b", 2],
      ["c", 3],
    ]);
    expect([...underlying]).toEqual([...new Map(named)]);
    expect([named.size, named.has("b"), named.get("c"), [...named.keys()], [...named.values()]]).toEqual([
      2,
      true,
      3,
      ["b", "c"],
      [2, 3],
    ]);
    const seen: string[] = [];
    for (const [key] of named.entries()) seen.push(key);
    named.forEach((_, key) => seen.push(key));
    named.clear();
    expect([seen, underlying.size]).toEqual([["b", "c", "b", "c"], 0]);
  });

  it("has a type of its own, and stays as it is where plain data is copied", () => {
    const named = new NamedMap(new Map<string, Value>([["a", 1]]), type);
    expect([typeName(named), kindName(named), isTrue(named), fromPlain(named) === named, toPlain(named)]).toEqual([
      "chartutil.Values",
      "map",
      true,
      true,
      { a: 1 },
    ]);
  });
});
