import { describe, expect, it } from "@jest/globals";
import type { ObjectMeta } from "@landscaper/api";
import { containerAnnotations } from "../../contract/labels.ts";
import { cutTail } from "./container-messages.ts";
import { changedFields } from "./preview-run.ts";
import { readExports } from "./read-exports.ts";
import { originalState } from "./state-store.ts";

describe("the end of a log", () => {
  const long = "x".repeat(2047);

  it.each<readonly [string, string, string]>([
    ["is whole where it is short", "two\nlines", "two\nlines"],
    ["is left out where it is one line that may have been cut", `${long}y`, ""],
    ["loses the line that may have been cut", `cut ${long}\nwhole\nlines`, "whole\nlines"],
    ["loses it by bytes, as the kubelet counts", `${"ä".repeat(1024)}\nwhole`, "whole"],
  ])("%s", (_, text, wanted) => {
    expect(cutTail(text)).toBe(wanted);
  });
});

describe("the exports of a run", () => {
  const secretOf = (content: string | Uint8Array, pod = "p") => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "e", annotations: { [containerAnnotations.job]: pod } },
    data: { config: Buffer.from(content).toString("base64") },
  });

  it.each<readonly [string, Parameters<typeof readExports>[0], unknown]>([
    ["are none without a Secret", undefined, undefined],
    ["are none of another Pod", secretOf("a: 1", "other"), undefined],
    ["are none in an empty file", secretOf(" \n"), undefined],
    ["may be YAML", secretOf("a: 1\nb: [x]"), { a: 1, b: ["x"] }],
    ["may be JSON", secretOf('{"a":{"b":null}}'), { a: { b: null } }],
  ])("%s", async (...[, secret, values]) => {
    expect(await readExports(secret, "p")).toEqual(values);
  });

  it.each<readonly [string | Uint8Array, string]>([
    [Uint8Array.of(0xff, 0xfe), "expected text in UTF-8, found other bytes"],
    ["null", "expected a mapping of names to values, found nothing"],
    ["a: 1\na: 2", "line 2, column 1: expected JSON or YAML, found a text that is neither: "],
  ])("%j are refused", async (content, problem) => {
    await expect(readExports(secretOf(content), "p")).rejects.toThrow(
      `the file that the program has written to EXPORTS_PATH: ${problem}`,
    );
  });
});

describe("the state that the original has written", () => {
  interface Part {
    readonly name: string;
    readonly minute: number;
    readonly sha256?: string;
  }
  /** `GENERATION-NUMBER`, made in a minute. */
  const part = ({ name, minute, sha256 }: Part): ObjectMeta => ({
    name,
    creationTimestamp: `2026-01-01T00:0${minute}:00Z`,
    annotations: {
      [containerAnnotations.stateUuid]: name.replace(/-\d+$/, ""),
      [containerAnnotations.stateNumber]: name.replace(/^.*-/, ""),
      ...(sha256 === undefined ? {} : { [containerAnnotations.stateSha256]: sha256 }),
    },
  });

  it("is the youngest, with its parts in their order; what has checksums is ours", () => {
    const parts = [
      part({ name: "old-0", minute: 1 }),
      part({ name: "new-10", minute: 3 }),
      part({ name: "new-2", minute: 3 }),
      part({ name: "new-0", minute: 2 }),
      part({ name: "ours-0", minute: 5, sha256: "a".repeat(64) }),
    ];
    expect(originalState(parts)).toEqual({ chunks: [{ name: "new-0" }, { name: "new-2" }, { name: "new-10" }] });
    expect(originalState([])).toBeUndefined();
  });
});

describe("what has changed in a configuration", () => {
  it.each<readonly [unknown, unknown, readonly string[]]>([
    [{ a: 1 }, { a: 1 }, []],
    [{ image: "a", args: ["x"] }, { image: "b", args: ["x"] }, ["image"]],
    [
      { importValues: { a: 1, b: { c: 1 } } },
      { importValues: { a: 2, b: { c: 2 }, d: 1 } },
      ["importValues.a", "importValues.b", "importValues.d"],
    ],
    [{ importValues: [1] }, { importValues: [2] }, ["importValues"]],
    [{ importValues: { a: 1 } }, {}, ["importValues"]],
    [{ blueprint: { ref: { resourceName: "a" } } }, { blueprint: { ref: { resourceName: "b" } } }, ["blueprint"]],
  ])("from %j to %j", (before, after, changed) => {
    expect(changedFields(before, after)).toEqual(changed);
  });
});
