// Constructor files of the samples, which another implementation has built: ours makes the same of them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { samplePath } from "../../src/examples/sample-folder.ts";
import { comparableComponent } from "../../src/components/comparable-component.ts";

const samples = samplePath("components");
const folder = mkdtempSync(join(tmpdir(), "landscaper-sample-constructors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function create(constructor: string): string {
  const ctf = join(folder, constructor);
  const file = join(samples, "src", constructor);
  const words = ["component", "create", "--constructor", file, "--ctf", ctf, "--skip-external-digests"];
  const { status, stderr } = spawnSync(join(import.meta.dirname, "../../../bin/landscaper"), words, {
    encoding: "utf8",
    env: { ...process.env, HOME: folder },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^(?:warning: .*\n)*$/) });
  return ctf;
}

/** The registry of the samples is not there: digests of artifacts in it are compared elsewhere. */
function withoutExternalDigests(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || !("relation" in member)) return member;
    return member.relation === "external" ? { ...member, digest: undefined } : member;
  });
  return JSON.parse(text) as unknown;
}

describe("the constructor files of the samples", () => {
  it.each([
    { constructor: "constructor-leaf.yaml", ctf: "ctf", name: "example.com/sample/leaf", version: "1.0.0" },
    { constructor: "constructor-root.yaml", ctf: "ctf", name: "example.com/sample/root", version: "1.1.0+build.5" },
    { constructor: "constructor-norm.yaml", ctf: "ctf-norm-v2", name: "example.com/sample/norm", version: "0.1.0" },
  ])("$constructor builds the component that the other implementation has built", async (sample) => {
    const theirs = await comparableComponent(join(samples, sample.ctf), sample);
    const ours = await comparableComponent(create(sample.constructor), sample);
    expect(withoutExternalDigests(ours)).toEqual(withoutExternalDigests(theirs));
  });
});
