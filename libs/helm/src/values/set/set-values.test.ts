import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runSet, type SetCase, type SetResult } from "../../../test/sets.ts";
import { goldenFolder } from "../../../test/index.ts";

/** Made by Helm from our texts. */
type Recorded = SetCase & { readonly result: SetResult };

const cases = JSON.parse(readFileSync(join(goldenFolder, "sets/sets.json"), "utf8")) as readonly Recorded[];

describe("setValues", () => {
  it.each(cases.map((recorded) => [recorded.kind, recorded.text, recorded] as const))(
    "--%s %s as Helm",
    (_kind, _text, recorded) => {
      expect(runSet(recorded)).toEqual(recorded.result);
    },
  );

  it("takes the largest index", () => {
    const { values } = runSet({ kind: "set", text: "a[65536]=x" });
    expect(JSON.stringify(values)).toBe(`{"a":[${"null,".repeat(65_536)}"x"]}`);
  });

  it("ends lists in lists with a message, not with the stack", () => {
    expect(runSet({ kind: "set", text: `a${"[0]".repeat(100_000)}=x` })).toEqual({
      error: "lists are nested deeper than 1000",
    });
  });
});
