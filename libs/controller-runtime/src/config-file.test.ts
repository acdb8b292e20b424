import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestDeployerConfigurationSchema } from "@landscaper/api";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Type } from "typebox";
import { loadConfigFile } from "./config-file.ts";

const schema = Type.Object({
  kind: Type.Optional(Type.Literal("TestConfiguration")),
  workers: Type.Integer({ default: 4, minimum: 1 }),
  mode: Type.Optional(Type.Enum(["fast", "safe"])),
  targets: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
});

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "config-"));
  path = join(dir, "config.yaml");
});
afterEach(() => rmSync(dir, { recursive: true }));

describe("loadConfigFile", () => {
  it("reads YAML and fills in defaults", async () => {
    writeFileSync(path, "kind: TestConfiguration\nmode: safe # the default is fast\ntargets:\n- name: a\n");
    expect((await loadConfigFile(schema, path)).configuration).toEqual({
      kind: "TestConfiguration",
      mode: "safe",
      workers: 4,
      targets: [{ name: "a" }],
    });
  });

  it("takes an empty file for all defaults", async () => {
    writeFileSync(path, "\n");
    expect((await loadConfigFile(schema, path)).configuration).toEqual({ workers: 4 });
  });

  it("tells of fields that nobody knows", async () => {
    writeFileSync(path, "worker: 5\ntargets:\n- name: a\n  nam: b\n");
    expect(await loadConfigFile(schema, path)).toEqual({
      configuration: { worker: 5, workers: 4, targets: [{ name: "a", nam: "b" }] },
      warnings: [
        { reason: "UnknownField", message: `${path}: unknown field "worker", did you mean "workers"?` },
        { reason: "UnknownField", message: `${path}: unknown field "targets[0].nam", did you mean "name"?` },
      ],
    });
  });

  it("reads the configuration of a real service", async () => {
    writeFileSync(
      path,
      "apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2\nkind: Configuration\nidentity: x\n",
    );
    expect((await loadConfigFile(manifestDeployerConfigurationSchema, path)).configuration).toMatchObject({
      identity: "x",
    });
  });

  it.each([
    ["workers: many", "workers: expected an integer, found a string"],
    ["mode: slow", 'mode: expected one of "fast", "safe", found another text'],
    ["targets:\n- title: a", "targets[0].name: required field is missing"],
    ["kind: Other", 'kind: expected "TestConfiguration", found another text'],
    ["- a", "expected an object, found a list"],
  ])("names file and field of %p", async (text, want) => {
    writeFileSync(path, text);
    await expect(loadConfigFile(schema, path)).rejects.toMatchObject({
      message: `${path}: not a valid TestConfiguration: ${want}`,
      retry: "never",
    });
  });

  it("names line and column of what is no YAML", async () => {
    writeFileSync(path, "workers: 4\nmode: [fast\n");
    await expect(loadConfigFile(schema, path)).rejects.toMatchObject({
      message: `${path}:3:1: expected YAML: the indentation does not fit the lines before, or a closing brace or bracket is missing; correct it`,
      reason: "InvalidConfiguration",
    });
  });

  it("names a file that is not there", async () => {
    await expect(loadConfigFile(schema, path)).rejects.toMatchObject({
      message: `${path}: the configuration file cannot be read (ENOENT)`,
    });
  });
});
