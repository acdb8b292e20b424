// A field that users can set and that nothing reads is a promise that nobody keeps: its schema has to say so.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { editorSchemas, generateFiles } from "../generation/generated-files.ts";
import { withoutEffectKeyword } from "./ignored-fields.ts";
import { isJsonRecord, type JsonRecord } from "../values/json-value.ts";
import { kinds } from "../objects/resources.ts";

const root = join(import.meta.dirname, "../../../..");

const core = "services/landscaper-core";
const deployer = "libs/deployer";
const registries = ["libs/oci", "libs/chart-source"];
const service = ["libs/controller-runtime", "libs/egress", deployer, ...registries];
const manifests = ["libs/deployers/manifest", "libs/resources", deployer];
/** Packages that read the objects of a kind, or the files of a schema. */
const readers: Readonly<Record<string, readonly string[]>> = {
  Installation: [core, "libs/blueprint"],
  Execution: [core],
  DeployItem: [core, deployer],
  DataObject: [core, "libs/blueprint"],
  Target: [core, deployer],
  ComponentVersionOverwrites: [core, "libs/components"],
  Context: [core, "libs/deployers/helm", ...registries],
  TargetSync: [core],
  DeployerRegistration: [core, "libs/blueprint"],
  Environment: [core, "services/landscaper-agent"],
  CriticalProblems: [core],
  LsHealthCheck: [core],
  blueprint: ["libs/blueprint"],
  "installation-template": ["libs/blueprint", core],
  "landscaper-configuration": [core, ...service],
  "manifest-deployer-configuration": [...manifests, "services/manifest-deployer", ...service],
  "mock-deployer-configuration": service,
  "container-deployer-configuration": ["libs/deployers/container", "services/container-deployer", ...service],
  "agent-configuration": ["services/landscaper-agent", "libs/deployers/helm", ...manifests, ...service],
  "helm-deployer-configuration": ["libs/deployers/helm", "services/helm-deployer", ...manifests, ...service],
  "manifest-provider-configuration-v1alpha1": manifests,
  "manifest-provider-configuration-v1alpha2": manifests,
  "helm-provider-configuration-v1alpha1": ["libs/deployers/helm", ...manifests, ...registries],
  "container-provider-configuration-v1alpha1": [
    "libs/deployers/container",
    "libs/blueprint",
    "libs/components",
    deployer,
    ...registries,
  ],
  "mock-provider-configuration-v1alpha1": ["libs/deployers/mock", deployer],
};

interface Field {
  readonly name: string;
  readonly path: string;
}

/** All fields below a schema but those that are marked. */
function listFields(schema: unknown, path: string): readonly Field[] {
  if (!isJsonRecord(schema) || schema[withoutEffectKeyword] !== undefined) return [];
  const below = (member: unknown): readonly unknown[] =>
    Array.isArray(member) ? member : isJsonRecord(member) ? Object.values(member) : [];
  const { properties, items, patternProperties, anyOf, oneOf, allOf, $defs } = schema;
  const forms = [items, ...[patternProperties, anyOf, oneOf, allOf, $defs].flatMap(below)];
  const named = isJsonRecord(properties) ? Object.entries(properties) : [];
  return [
    ...named.flatMap(([name, field]): readonly Field[] => {
      if (isJsonRecord(field) && field[withoutEffectKeyword] !== undefined) return [];
      return [{ name, path: `${path}.${name}` }, ...listFields(field, `${path}.${name}`)];
    }),
    ...forms.flatMap((form) => listFields(form, path)),
  ];
}

const isProduct = (file: string): boolean => !/\.test\.ts$|\/(test|testing|play)[^/]*\.ts$/.test(file);
/** They say what there is, and read nothing. */
const isSchemas = (file: string): boolean =>
  /^libs\/api\/src\/(kinds|configuration|provider-configuration|samples)\//.test(file);

/** Words of the sources of packages without comments, those of libs/api always among them. */
function wordsOf(packages: readonly string[]): ReadonlySet<string> {
  const patterns = [...packages, "libs/api"].map((dir) => `${dir}/src/**/*.ts`);
  const files = globSync(patterns, { cwd: root }).filter((file) => isProduct(file) && !isSchemas(file));
  const texts = files.map((file) => readFileSync(join(root, file), "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ""));
  return new Set(texts.flatMap((text) => text.match(/\b[A-Za-z_]\w*\b/g) ?? []));
}

const schemas: readonly (readonly [string, JsonRecord])[] = [
  ...kinds.map(({ type, description, fields }) => [type.kind, { description, properties: fields }] as const),
  ...Object.entries(editorSchemas).map(([name, schema]) => [name, { ...schema }] as const),
];
const isUnread = ({ description }: JsonRecord): boolean => / Without effect: .+\.$/.test(String(description));

describe("the schema of", () => {
  it.each(schemas.filter(([, schema]) => !isUnread(schema)))("%s has no field that nothing reads", (name, schema) => {
    const packages = readers[name];
    if (packages === undefined) throw new Error(`expected the packages that read ${name}, or "withoutEffect" at it`);
    const words = wordsOf(packages);
    const unread = listFields(schema, name).filter((field) => !words.has(field.name));
    expect(unread.map(({ path }) => path)).toEqual([]);
  });

  it.each(schemas.filter(([, schema]) => isUnread(schema)))("%s, which nothing reads, has no reader", (name) => {
    expect(readers[name]).toBeUndefined();
  });
});

describe("generated documents", () => {
  it("say which fields have no effect, and why", () => {
    const files = new Map(generateFiles().map(({ path, content }) => [path, content]));
    expect(files.get("schemas/helm-deployer-configuration.json")).toContain(
      '"description": "Horizontal scaling. Without effect: replicas share the work, however many there are."',
    );
    expect(files.get("crds/landscaper.gardener.cloud_syncobjects.yaml")).toMatch(
      /A lock on another object, taken by replicas of the original\. Without effect: replicas share their work by\s+Leases\./,
    );
  });
});
