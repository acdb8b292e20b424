import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { annotations, finalizer, kubeResources, labels, resources, scopeOfInstallation } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  mockItem,
} from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

/** Imports of name, namespace and data of a ConfigMap; exports its name and data. */
const configMapBlueprint = {
  imports: [
    clusterImport,
    dataParameter("name", { type: "string" }),
    dataParameter("namespace", { type: "string" }),
    dataParameter("data", { type: "object" }),
  ],
  exports: [dataParameter("exported-name", { type: "string" }), dataParameter("exported-data", { type: "object" })],
  deployExecutions: goTemplate(`
deployItems:
  - name: config-map
    type: landscaper.gardener.cloud/kubernetes-manifest
    target: { import: cluster }
    config:
      apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
      kind: ProviderConfiguration
      manifests:
        - policy: manage
          manifest:
            apiVersion: v1
            kind: ConfigMap
            metadata: { name: {{ .imports.name }}, namespace: {{ .imports.namespace }} }
            data: {{ toJson .imports.data }}
      exports:
        exports:
          - key: name
            jsonPath: .metadata.name
            fromResource: &object
              apiVersion: v1
              kind: ConfigMap
              name: {{ .imports.name }}
              namespace: {{ .imports.namespace }}
          - key: data
            jsonPath: .data
            fromResource: *object
`),
  exportExecutions: goTemplate(`
exports:
  exported-name: {{ index .values.deployitems "config-map" "name" }}
  exported-data: {{ index .values.deployitems "config-map" "data" | toJson }}
`),
};

type DataImports = readonly Record<string, unknown>[];

function configMapInstallation(name: string, data: DataImports): UnstructuredObject {
  return inlineInstallation({
    name,
    blueprint: configMapBlueprint,
    imports: { targets: [{ name: "cluster", target: "target" }], data },
    exports: {
      data: [
        { name: "exported-name", dataRef: "export-do-name" },
        { name: "exported-data", dataRef: "export-do-data" },
      ],
    },
  });
}

const text = (value: string): string => Buffer.from(value).toString("base64");

describe.each(clustersUnderTest())("imports on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "mock-deployer"],
      // A ConfigMap gets its name from each kind of source, Secrets included.
      configs: { "manifest-deployer": { allowSecretNames: true } },
    });
  });
  afterAll(async () => environment.stop());

  it("scenario 1: starts no job without the annotation", async () => {
    const scope = await environment.namespace("no-trigger");
    const blueprint = { deployExecutions: deployItems(mockItem("item")) };
    await scope.apply(inlineInstallation({ name: "waiting", blueprint, triggered: false }));
    const seen = await scope.until(
      resources.installation,
      "waiting",
      (found) => found?.metadata.finalizers?.includes(finalizer) === true,
    );
    expect(seen?.status?.jobID).toBeUndefined();

    // Another one runs from start to end; the first one still waits.
    await scope.apply(inlineInstallation({ name: "other", blueprint }));
    await scope.waitForPhase("other", "Succeeded");
    const waiting = await scope.get(resources.installation, "waiting");
    expect({ jobID: waiting.status?.jobID, phase: waiting.status?.phase }).toEqual({});

    await scope.trigger("waiting");
    const done = await scope.waitForPhase("waiting", "Succeeded");
    expect(done.metadata.annotations?.[annotations.operation]).toBeUndefined();
    expect(done.status?.jobIDFinished).toBe(done.status?.jobID);
    expect(done.status?.lastError).toBeUndefined();
  });

  describe("scenario 2: from each kind of source", () => {
    let scope: TestNamespace;

    /** What must be true after each run: the ConfigMap on the target and the exports. */
    async function expectResult(configMap: string, data: Record<string, unknown>): Promise<void> {
      await scope.waitForPhase("sources", "Succeeded");
      const deployed = await scope.findOnTarget(kubeResources.configMap, configMap);
      expect(deployed?.data).toEqual(data);
      expect(await scope.exported("export-do-name")).toBe(configMap);
      expect(await scope.exported("export-do-data")).toEqual(data);
      const exported = await scope.get(resources.dataObject, "export-do-name");
      expect(exported.metadata.labels?.[labels.dataSource]).toBe(scopeOfInstallation("sources"));
      expect(exported.metadata.labels).not.toHaveProperty([labels.dataContext]);
    }

    beforeAll(async () => {
      scope = await environment.namespace("sources");
      await scope.apply(scope.target("target"));
    });

    it("takes DataObjects", async () => {
      await scope.apply(
        dataObject("do-name", "from-data-objects"),
        dataObject("do-namespace", scope.targetNamespace),
        dataObject("do-data", { source: "DataObject", answer: "42" }),
        configMapInstallation("sources", [
          { name: "name", dataRef: "do-name" },
          { name: "namespace", dataRef: "do-namespace" },
          { name: "data", dataRef: "do-data" },
        ]),
      );
      await expectResult("from-data-objects", { source: "DataObject", answer: "42" });
    });

    it("takes ConfigMaps, by key and whole", async () => {
      const apiVersion = "v1";
      const kind = "ConfigMap";
      const keyed = { name: "from-config-maps", namespace: scope.targetNamespace };
      await scope.apply(
        { apiVersion, kind, metadata: { name: "keyed" }, data: keyed },
        { apiVersion, kind, metadata: { name: "whole" }, data: { source: "ConfigMap", other: "text" } },
        configMapInstallation("sources", [
          { name: "name", configMapRef: { name: "keyed", key: "name" } },
          { name: "namespace", configMapRef: { name: "keyed", key: "namespace" } },
          { name: "data", configMapRef: { name: "whole" } },
        ]),
      );
      await expectResult("from-config-maps", { source: "ConfigMap", other: "text" });
      expect(await scope.findOnTarget(kubeResources.configMap, "from-data-objects")).toBeUndefined();
    });

    it("takes Secrets, by key and whole", async () => {
      const apiVersion = "v1";
      const kind = "Secret";
      const keyed = {
        name: text("from-secrets"),
        namespace: text(scope.targetNamespace),
        data: text("{source: YAML}"),
      };
      await scope.apply(
        { apiVersion, kind, metadata: { name: "keyed" }, data: keyed },
        { apiVersion, kind, metadata: { name: "whole" }, data: { source: text("Secret") } },
        configMapInstallation("sources", [
          { name: "name", secretRef: { name: "keyed", key: "name" } },
          { name: "namespace", secretRef: { name: "keyed", key: "namespace" } },
          { name: "data", secretRef: { name: "whole" } },
        ]),
      );
      await expectResult("from-secrets", { source: "Secret" });
    });

    it("reads the value of a key as YAML", async () => {
      await scope.apply(
        configMapInstallation("sources", [
          { name: "name", secretRef: { name: "keyed", key: "name" } },
          { name: "namespace", secretRef: { name: "keyed", key: "namespace" } },
          { name: "data", secretRef: { name: "keyed", key: "data" } },
        ]),
      );
      await expectResult("from-secrets", { source: "YAML" });
    });

    it("takes everything away with the Installation", async () => {
      await scope.delete(resources.installation, "sources");
      await scope.untilGone(resources.installation, "sources");
      expect(await scope.findOnTarget(kubeResources.configMap, "from-secrets")).toBeUndefined();
      await scope.untilGone(resources.dataObject, "export-do-name");
      await scope.untilGone(resources.dataObject, "export-do-data");
    });
  });

  const greetingBlueprint = {
    imports: [dataParameter("greeting", { type: "string" })],
    deployExecutions: deployItems(mockItem("item")),
  };
  const greetingImport = { data: [{ name: "greeting", dataRef: "greeting" }] };

  it("scenario 4: fails the job when an import is missing, and does it when it is there", async () => {
    const scope = await environment.namespace("missing-import");
    await scope.apply(inlineInstallation({ name: "inst", blueprint: greetingBlueprint, imports: greetingImport }));
    const failed = await scope.waitForPhase("inst", "Failed");
    expect(failed.status?.lastError).toMatchObject({ operation: "init", reason: "ImportsSatisfied" });
    expect(failed.status?.lastError?.message).toContain("greeting");
    expect(await scope.list(resources.execution)).toEqual([]);

    await scope.apply(dataObject("greeting", "hello"));
    // Nothing is retried by itself: another job runs from start to end, this one stays as it is.
    await scope.apply(inlineInstallation({ name: "other", blueprint: greetingBlueprint, imports: greetingImport }));
    await scope.waitForPhase("other", "Succeeded");
    expect((await scope.get(resources.installation, "inst")).status?.jobID).toBe(failed.status?.jobID);

    await scope.trigger("inst");
    await scope.waitForPhase("inst", "Succeeded");
  });

  it("scenario 5: names the import whose value violates its schema, and deploys nothing", async () => {
    const scope = await environment.namespace("schema");
    await scope.apply(
      dataObject("greeting", 5),
      inlineInstallation({ name: "inst", blueprint: greetingBlueprint, imports: greetingImport }),
    );
    const failed = await scope.waitForPhase("inst", "Failed");
    expect(failed.status?.lastError?.message).toContain("imports.greeting: expected a string, found a number");
    expect(await scope.list(resources.deployItem)).toEqual([]);

    await scope.apply(dataObject("greeting", "hello"));
    await scope.trigger("inst");
    await scope.waitForPhase("inst", "Succeeded");
  });

  it("checks values by schemas whose references have no slash after #", async () => {
    const scope = await environment.namespace("schema-fragments");
    const definitions = { port: { type: "integer" } };
    const properties = { cache: { $ref: "#definitions/cache" } };
    const store = JSON.stringify({ properties, definitions: { cache: { type: "object" } } });
    const names = ["local", "own", "store"];
    const blueprint = {
      localTypes: { shared: { definitions } },
      imports: [
        dataParameter("local", { $ref: "local://shared#definitions/port" }),
        dataParameter("own", { properties: { port: { $ref: "#definitions/port" } }, definitions }),
        dataParameter("store", { $ref: "blueprint://store.json" }),
      ],
      deployExecutions: deployItems(mockItem("item")),
    };
    const files = { "store.json": store };
    const imports = { data: names.map((name) => ({ name, dataRef: name })) };
    await scope.apply(
      dataObject("local", 80),
      dataObject("own", { port: 80 }),
      dataObject("store", { cache: "none" }),
      inlineInstallation({ name: "inst", blueprint, files, imports }),
    );
    const failed = await scope.waitForPhase("inst", "Failed");
    expect(failed.status?.lastError?.message).toContain("imports.store.cache: expected a map, found a string");

    await scope.apply(dataObject("store", { cache: {} }), dataObject("own", { port: "80" }));
    await scope.trigger("inst");
    expect((await scope.waitForPhase("inst", "Failed")).status?.lastError?.message).toContain(
      "imports.own.port: expected an integer, found a string",
    );

    await scope.apply(dataObject("own", { port: 80 }));
    await scope.trigger("inst");
    await scope.waitForPhase("inst", "Succeeded");
  });
});
