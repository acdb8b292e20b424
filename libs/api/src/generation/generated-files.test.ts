import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { Ajv } from "ajv";
import addFormatsModule from "ajv-formats";
import { parseAllDocuments } from "yaml";
import { generateCrds } from "./crds.ts";
import { generateFiles } from "./generated-files.ts";
import { generateHubPolicies, generateEnvironmentPolicies } from "../objects/policies.ts";

const root = join(import.meta.dirname, "../../../..");
const files = generateFiles();

function contentOf(path: string): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

describe("generated files", () => {
  it.each(files.map(({ path, content }) => [path, content]))("%s is what npm run generate writes", (path, content) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(content);
  });

  it("are all there is in their folders", () => {
    const found = globSync("{crds/*,schemas/*,k8s/charts/*/rules/**/*.yaml}", { cwd: root }).toSorted();
    expect(found).toEqual(
      files
        .map(({ path }) => path)
        .filter((path) => !path.startsWith("docs/"))
        .toSorted(),
    );
  });

  it("hold every CRD and every policy, without YAML aliases", () => {
    const yaml = files.filter(({ path }) => path.startsWith("crds/"));
    const objects = yaml.flatMap(({ content }) =>
      parseAllDocuments(content).map((document): unknown => document.toJS()),
    );
    expect(objects).toEqual([...generateCrds(), ...generateHubPolicies(), ...generateEnvironmentPolicies()]);
    expect(yaml.filter(({ content }) => /(^|\s)[&*]a\d/.test(content))).toEqual([]);
  });
});

describe("editor schemas", () => {
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });
  const addFormats = addFormatsModule as unknown as (instance: Ajv) => void;
  addFormats(ajv);
  ajv.addFormat("int32", true);
  ajv.addFormat("int64", true);
  ajv.addFormat("byte", true);
  const schemas = files.filter(({ path }) => path.startsWith("schemas/"));

  it.each(schemas.map(({ path, content }) => [path, content]))("%s is JSON schema of draft 07", (_, content) => {
    const schema = JSON.parse(content) as { $schema: string };
    expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
    expect(() => ajv.compile(schema)).not.toThrow();
    expect(content).not.toMatch(/"\$id"|x-kubernetes-|\$defs/);
  });

  it("accept nested imports to any depth, and find the fault in them", () => {
    const validate = ajv.compile(JSON.parse(contentOf("schemas/blueprint.json")) as object);
    const nest = (inner: object): object => ({ imports: [{ name: "a", imports: [{ name: "b", imports: [inner] }] }] });
    expect(validate(nest({ name: "c" }))).toBe(true);
    expect(validate(nest({}))).toBe(false);
    expect(validate.errors?.[0]?.instancePath).toBe("/imports/0/imports/0/imports/0");
  });

  it("do not demand what the parser fills in", () => {
    const validate = ajv.compile(JSON.parse(contentOf("schemas/landscaper-configuration.json")) as object);
    expect(validate({})).toBe(true);
    expect(validate({ controllers: { contexts: { config: {} } } })).toBe(true);
  });

  it("demand exactly one of alternatives", () => {
    const validate = ajv.compile(JSON.parse(contentOf("schemas/installation-template.json")) as object);
    const template = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "InstallationTemplate", name: "a" };
    expect(validate({ ...template, blueprint: { ref: "cd://resources/a" } })).toBe(true);
    expect(validate({ ...template, blueprint: {} })).toBe(false);
    expect(validate({ ...template, blueprint: { ref: "a", filesystem: {} } })).toBe(false);
  });
});
