import { describe, expect, it } from "@jest/globals";
import { generateCrds } from "./crds.ts";
import type { CustomResourceDefinition, StructuralSchema } from "../objects/foreign-kinds.ts";

const crds = generateCrds();

function crdOf(kind: string): CustomResourceDefinition {
  const crd = crds.find(({ spec }) => spec.names.kind === kind);
  if (crd === undefined) throw new Error(`no CRD for ${kind}`);
  return crd;
}

function versionOf(kind: string) {
  return crdOf(kind).spec.versions[0]!;
}

/** Schema of a field, by its names from the root on; "[]" stands for the entries of a list. */
function fieldOf(kind: string, path: string): StructuralSchema | undefined {
  return path
    .split(".")
    .reduce<StructuralSchema | undefined>(
      (schema, name) => (name === "[]" ? schema?.items : schema?.properties?.[name]),
      versionOf(kind).schema?.openAPIV3Schema,
    );
}

function* allSchemas(schema: StructuralSchema, path: string): Generator<readonly [string, StructuralSchema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* allSchemas(field, `${path}.${name}`);
  if (schema.items !== undefined) yield* allSchemas(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === "object") yield* allSchemas(schema.additionalProperties, `${path}{}`);
}

const everySchema = crds.flatMap((crd) => [
  ...allSchemas(crd.spec.versions[0]!.schema!.openAPIV3Schema!, crd.spec.names.kind),
]);

interface KindRow {
  kind: string;
  plural: string;
  shortNames: string[];
  scope: string;
  hasStatus: boolean;
  columns: string[];
}

describe("generateCrds", () => {
  // core.md §3.4, the whole table.
  it.each<KindRow>([
    {
      kind: "Installation",
      plural: "installations",
      shortNames: ["inst"],
      scope: "Namespaced",
      hasStatus: true,
      columns: ["Phase", "Execution", "Ready", "Reason", "Message", "Age"],
    },
    {
      kind: "Execution",
      plural: "executions",
      shortNames: ["exec"],
      scope: "Namespaced",
      hasStatus: true,
      columns: ["Phase", "ExportRef", "Ready", "Reason", "Message", "Age"],
    },
    {
      kind: "DeployItem",
      plural: "deployitems",
      shortNames: ["di"],
      scope: "Namespaced",
      hasStatus: true,
      columns: ["Type", "Phase", "ExportRef", "Ready", "Reason", "Message", "Age"],
    },
    {
      kind: "DataObject",
      plural: "dataobjects",
      shortNames: ["dobj", "do"],
      scope: "Namespaced",
      hasStatus: false,
      columns: ["Context", "Key", "Age"],
    },
    {
      kind: "Target",
      plural: "targets",
      shortNames: ["tgt", "tg"],
      scope: "Namespaced",
      hasStatus: false,
      columns: ["Type", "Context", "Key", "Idx", "TMKey", "Age"],
    },
    {
      kind: "TargetSync",
      plural: "targetsyncs",
      shortNames: ["tgs"],
      scope: "Namespaced",
      hasStatus: true,
      columns: ["Age"],
    },
    {
      kind: "Context",
      plural: "contexts",
      shortNames: ["ctx"],
      scope: "Namespaced",
      hasStatus: false,
      columns: ["Age"],
    },
    {
      kind: "ComponentVersionOverwrites",
      plural: "componentversionoverwrites",
      shortNames: ["compveroverwrite", "cvo"],
      scope: "Namespaced",
      hasStatus: false,
      columns: ["Age"],
    },
    {
      kind: "LsHealthCheck",
      plural: "lshealthchecks",
      shortNames: ["lshc"],
      scope: "Namespaced",
      hasStatus: false,
      columns: ["Status", "LastUpdateTime", "Age"],
    },
    {
      kind: "CriticalProblems",
      plural: "criticalproblems",
      shortNames: ["cps"],
      scope: "Namespaced",
      hasStatus: true,
      columns: ["Age"],
    },
    {
      kind: "SyncObject",
      plural: "syncobjects",
      shortNames: ["so"],
      scope: "Namespaced",
      hasStatus: true,
      columns: ["PodName", "Kind", "Name", "Age"],
    },
    {
      kind: "DeployerRegistration",
      plural: "deployerregistrations",
      shortNames: ["deployreg", "deployerreg", "dreg"],
      scope: "Cluster",
      hasStatus: true,
      columns: ["Environments", "Succeeded", "Progressing", "Failed", "Updated", "Age"],
    },
    {
      kind: "Environment",
      plural: "environments",
      shortNames: ["env"],
      scope: "Cluster",
      hasStatus: true,
      columns: ["Phase", "Deployers", "Suspended", "Reachable", "Heartbeat", "Agent", "Kubernetes", "Age"],
    },
  ])("says of $kind what kubectl needs to know", ({ kind, plural, shortNames, scope, hasStatus, columns }) => {
    const { metadata, spec } = crdOf(kind);
    // Whoever has made the original's has taken the plural for two words.
    const singular = kind === "ComponentVersionOverwrites" ? "componentversionoverwrite" : kind.toLowerCase();
    expect(metadata.name).toBe(`${plural}.landscaper.gardener.cloud`);
    expect(spec.group).toBe("landscaper.gardener.cloud");
    expect(spec.names).toEqual({ kind, listKind: `${kind}List`, plural, singular, shortNames });
    expect(spec.scope).toBe(scope);
    const version = versionOf(kind);
    expect(version).toMatchObject({ name: "v1alpha1", served: true, storage: true });
    expect(version.subresources).toEqual(hasStatus ? { status: {} } : undefined);
    expect(version.additionalPrinterColumns?.map(({ name }) => name)).toEqual(columns);
  });

  it("has a CRD for no other kind", () => {
    expect(crds).toHaveLength(13);
  });

  it("reads the columns of Targets from labels, whose dots and slashes are escaped", () => {
    expect(versionOf("Target").additionalPrinterColumns?.slice(0, 2)).toEqual([
      { name: "Type", type: "string", jsonPath: ".spec.type" },
      {
        name: "Context",
        type: "string",
        jsonPath: String.raw`.metadata.labels['data\.landscaper\.gardener\.cloud\/context']`,
      },
    ]);
  });

  it("gives every field a type, unless any value may stand there", () => {
    const untyped = everySchema.filter(
      ([, schema]) => schema.type === undefined && schema["x-kubernetes-preserve-unknown-fields"] !== true,
    );
    expect(untyped.map(([path]) => path)).toEqual([]);
  });

  it("describes every field", () => {
    const silent = everySchema.filter(
      ([path, { description }]) => (description ?? "") === "" && !/\[\]|\{\}|\.metadata$/.test(path),
    );
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it("has fields with list and map values of one kind only", () => {
    const both = everySchema.filter(
      ([, schema]) => schema.properties !== undefined && schema.additionalProperties !== undefined,
    );
    expect(both).toEqual([]);
  });

  it("requires no metadata, and a spec where there is one", () => {
    const required = crds.map((crd) => [crd.spec.names.kind, crd.spec.versions[0]?.schema?.openAPIV3Schema?.required]);
    expect(Object.fromEntries(required)).toEqual({
      Installation: ["spec"],
      Execution: ["spec"],
      DeployItem: ["spec"],
      Target: ["spec"],
      TargetSync: ["spec"],
      CriticalProblems: ["spec"],
      SyncObject: ["spec"],
      DeployerRegistration: ["spec"],
      Environment: ["spec"],
      LsHealthCheck: ["status", "lastUpdateTime", "description"],
      DataObject: ["data"],
      Context: undefined,
      ComponentVersionOverwrites: undefined,
    });
  });

  it.each([
    ["Installation", "spec.blueprint.inline.filesystem"],
    ["Installation", "spec.componentDescriptor.inline"],
    ["Installation", "spec.componentDescriptor.ref.repositoryContext"],
    ["Installation", "spec.imports.targets.[].targets.[]"],
    ["Execution", "spec.deployItems.[].config"],
    ["DeployItem", "spec.config"],
    ["DeployItem", "status.providerStatus"],
    ["DataObject", "data"],
    ["Target", "spec.config"],
    ["Context", "repositoryContext"],
    ["Environment", "spec.hostTarget.config"],
  ])("keeps what stands in %s.%s", (kind, path) => {
    expect(fieldOf(kind, path)).toMatchObject({ "x-kubernetes-preserve-unknown-fields": true });
  });

  it.each([
    ["Installation", "spec.context"],
    ["DeployItem", "spec.context"],
  ])("defaults %s.%s", (kind, path) => {
    expect(fieldOf(kind, path)?.default).toBe("default");
  });

  it("gives conditions an observedGeneration", () => {
    for (const kind of ["Installation", "Execution", "DeployItem"]) {
      expect(fieldOf(kind, "status.conditions.[].observedGeneration")).toMatchObject({
        type: "integer",
        format: "int64",
      });
    }
  });

  it("accepts the status fields of the seed", () => {
    expect(Object.keys(fieldOf("Installation", "status.imports.[]")?.properties ?? {})).toEqual([
      "name",
      "type",
      "dataRef",
      "secretRef",
      "configMapRef",
      "target",
      "targets",
      "configGeneration",
    ]);
    expect(Object.keys(fieldOf("Installation", "status.installationRefs.[]")?.properties ?? {})).toEqual([
      "name",
      "ref",
    ]);
  });
});
