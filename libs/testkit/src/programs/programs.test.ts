import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless } from "./describe-unless.ts";
import { findProgram } from "./find-program.ts";
import { programAbsence } from "./program-absence.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "programs-"));
  writeFileSync(join(folder, "weighs-programs"), "");
  chmodSync(join(folder, "weighs-programs"), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("findProgram", () => {
  it("finds a program in the folders of PATH, and none that is not there", () => {
    expect(findProgram("weighs-programs", `/nowhere:${folder}`)).toBe(join(folder, "weighs-programs"));
    expect(findProgram("weighs-programs", "/nowhere")).toBeUndefined();
  });
});

describe("programAbsence", () => {
  const find = (): undefined => undefined;

  it("is undefined where the program is", () => {
    const env = { E2E_REGISTRY: "required" };
    expect(programAbsence("docker-registry", { env, find: () => "/bin/docker-registry" })).toBeUndefined();
  });

  it("names the program that is missing", () => {
    expect(programAbsence("docker-registry", { env: {}, find })).toBe("the program docker-registry is missing");
    expect(programAbsence("gpg", { env: { E2E_REGISTRY: "required" }, find })).toBe("the program gpg is missing");
  });

  it("throws where the environment demands the program", () => {
    expect(() => programAbsence("docker-registry", { env: { E2E_REGISTRY: "required" }, find })).toThrow(
      "E2E_REGISTRY=required, but the program docker-registry is missing",
    );
  });
});

describe("describeUnless", () => {
  const begun: string[] = [];
  const played = Object.assign(
    (title: string, body: () => void): void => {
      begun.push(title);
      body();
    },
    { skip: (title: string): void => void begun.push(`- ${title}`) },
  );

  it("describes where nothing is missing", () => {
    describeUnless(undefined, played)("charts", () => begun.push("body"));
    expect(begun.splice(0)).toEqual(["charts", "body"]);
  });

  it("skips with the reason in the form that the summary of a run counts", () => {
    describeUnless("there is no node", played)("charts", () => begun.push("body"));
    expect(begun.splice(0)).toEqual(["- charts (skipped: there is no node)"]);
  });
});
