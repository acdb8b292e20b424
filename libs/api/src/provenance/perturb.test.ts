import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import * as fc from "fast-check";
import { perturb, perturbAt } from "./perturb.ts";

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- name: garden
  cluster:
    server: "https://10.0.0.1:6443"
    certificate-authority-data: ${base64("-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----\n")}
users: [] # none
`;

function pathsOf(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) => pathsOf(member, `${path}/${key}`));
}

describe("perturb", () => {
  it.each([
    ["letters and digits", "s3ntinel-Value!", "f7agvary-Inyhr^"],
    ["numbers without another count of digits", 1024, 5579],
    ["fractions", 1.5, 5.5],
    ["negative numbers", -7, -2],
    ["zero", 0, 5],
    ["numbers of any length", 12_345_678_901_234_567_890n, 57890123456789012345n],
    ["lists in one line", "a: [b, 'c d', {e: 1}]", "a: [o, 'p q', {e: 5}]"],
    ["block texts by their lines", "key: |\n  first\n  - second", "key: |\n  svefg\n  - frpbaq"],
    ["booleans", true, false],
    ["booleans as text", "true", "false"],
    ["addresses, which stay valid", "10.0.192.255", "55.5.247.100"],
    ["hexadecimal text, which stays so", "c0ffee00-beef", "f5ccbb55-ebbc"],
    ["text of marks", "!?#/~", "-#/@+"],
    ["letters beyond ASCII", "é漢", "è漣"],
    ["base64 of text", base64("admin:hunter2"), base64("nqzva:uhagre6")],
    [
      "JSON in a text",
      '{"user": "ann", "n": [1, true], "t": "a\\nb"}',
      '{"user": "naa", "n": [5, false], "t": "n\\no"}',
    ],
    [
      "lists and maps by their leaves",
      { a: ["x", null, ""], "b/c": { d: 0 } },
      { a: ["k", null, ""], "b/c": { d: 5 } },
    ],
  ])("changes %s", (_, value, want) => {
    expect(perturb(value)).toEqual(want);
  });

  it("keeps what frames a kubeconfig", () => {
    const changed = String(perturb(kubeconfig));
    expect(changed.split("\n").slice(0, 6)).toEqual([
      "apiVersion: v1",
      "kind: Config",
      "clusters:",
      "- name: tneqra",
      "  cluster:",
      '    server: "uggcf://55.5.5.5:1998"',
    ]);
    expect(pathsOf(parse(changed))).toEqual(pathsOf(parse(kubeconfig)));
  });

  it("changes every number, also the largest", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(perturb(number)).not.toBe(number);
      }),
      { examples: [[1e308], [Number.MAX_VALUE], [-Number.MAX_VALUE], [-2], [0], [Number.MIN_VALUE]] },
    );
  });

  it("changes every letter and digit of a text that encodes nothing", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9 !_-]{1,40}$/), (text) => {
        fc.pre(!/^(?:true|false|yes|no|on|off)$/.test(text) && text.length % 4 !== 0);
        const changed = String(perturb(text));
        expect(changed).toHaveLength(text.length);
        for (const [index, character] of text.split("").entries()) {
          if (/[A-Za-z0-9]/.test(character)) expect(changed.charAt(index)).not.toBe(character);
        }
      }),
    );
  });

  it("takes time in proportion to the length", () => {
    const text = `${"a: ".repeat(100_000)}${"1.2.3.4".repeat(50_000)}${"\\".repeat(100_000)}`;
    expect(String(perturb(text))).toHaveLength(text.length);
    expect(String(perturb(`{"a":"${"\\\\".repeat(100_000)}"}`))).toHaveLength(200_008);
  });
});

describe("perturbAt", () => {
  it("changes what the paths name, and shares the rest", () => {
    const value = { a: { secret: "x", plain: { deep: "x" } }, b: ["x", "x"] };
    const changed = perturbAt(value, ["/a/secret", "/b/1", "/none/here"]);
    expect(changed).toEqual({ a: { secret: "k", plain: { deep: "x" } }, b: ["x", "k"] });
    expect((changed as typeof value).a.plain).toBe(value.a.plain);
  });
});
