import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  landscaperConfigurationSchema,
  manifestProviderConfigurationSchema,
  parseBlueprint,
  parseLandscaperConfiguration,
  parseManifestProviderConfiguration,
} from "@landscaper/api";
import { build, type Plugin } from "esbuild";
import { compiledSchemas } from "./compiled-schemas.ts";

/** Makes it visible whether ajv is loaded. */
const refuseAjv: Plugin = {
  name: "refuse-ajv",
  setup(bundle) {
    bundle.onLoad({ filter: /ajv\/dist\/2020\.js$/ }, () => ({ contents: 'throw new Error("ajv was loaded");' }));
  },
};

const native = { parseLandscaperConfiguration, parseManifestProviderConfiguration, parseBlueprint };
type Parsers = typeof native;

let folder: string;
let bundled: Parsers;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "compiled-schemas-"));
  const outfile = join(folder, "parsers.cjs");
  await build({
    stdin: {
      contents: `export { parseLandscaperConfiguration, parseManifestProviderConfiguration, parseBlueprint } from "@landscaper/api";`,
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    plugins: [compiledSchemas([landscaperConfigurationSchema, manifestProviderConfigurationSchema]), refuseAjv],
    // ajv without exports makes esbuild warn.
    logLevel: "error",
  });
  bundled = ((await import(pathToFileURL(outfile).href)) as { default: Parsers }).default;
});
afterAll(() => rmSync(folder, { recursive: true }));

function resultOf(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return String(error);
  }
}

const manifest = { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2", kind: "ProviderConfiguration" };
const values: readonly (readonly [string, Exclude<keyof Parsers, "parseBlueprint">, unknown])[] = [
  ["fills in defaults", "parseLandscaperConfiguration", {}],
  ["refuses a type", "parseLandscaperConfiguration", { controllers: { installations: { workers: "many" } } }],
  ["refuses a range", "parseLandscaperConfiguration", { controllers: { installations: { workers: -1 } } }],
  ["refuses a text's form", "parseLandscaperConfiguration", { deployItemTimeouts: { pickup: "soon" } }],
  ["passes over unknown fields", "parseLandscaperConfiguration", { other: 1 }],
  ["takes the other schema", "parseManifestProviderConfiguration", { ...manifest, manifests: [] }],
  ["refuses a word", "parseManifestProviderConfiguration", { ...manifest, manifests: [{ policy: "none" }] }],
  ["needs a field", "parseManifestProviderConfiguration", { ...manifest, manifests: [{ policy: "manage" }] }],
];

describe("a schema that the build has compiled", () => {
  it.each(values)("%s as one that is compiled at run time, without ajv", (_title, parser, value) => {
    const expected = resultOf(() => native[parser](value, "here"));
    expect(resultOf(() => bundled[parser](value, "here"))).toEqual(expected);
  });

  it("leaves other schemas to ajv", () => {
    expect(() => bundled.parseBlueprint({}, "here")).toThrow("ajv was loaded");
  });
});
