import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { configMapItem } from "../src/installations/config-map-item.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
} from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const text = { type: "string" };
const namespaceParameter = dataParameter("namespace", text);
const targetImport = [{ name: "cluster", target: "target" }];

describe.each(clustersUnderTest())("data on its way through an Installation on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  async function scopeWithTarget(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"), dataObject("namespace", scope.targetNamespace));
    return scope;
  }

  it("scenario 3: other imports, items and exports take the place of the old ones", async () => {
    const scope = await scopeWithTarget("rename");
    interface Names {
      readonly source: string;
      readonly item: string;
      readonly exported: string;
    }
    const of = ({ source, item, exported }: Names): UnstructuredObject =>
      inlineInstallation({
        name: "inst",
        blueprint: {
          imports: [clusterImport, namespaceParameter, dataParameter("word", text)],
          exports: [dataParameter("word", text)],
          deployExecutions: goTemplate(
            `deployItems:${configMapItem({ item, name: "renamed", data: { word: "{{ .imports.word }}" }, exports: true })}`,
          ),
          exportExecutions: goTemplate(`exports: { word: {{ index .values.deployitems "${item}" "data" "word" }} }\n`),
        },
        imports: {
          targets: targetImport,
          data: [
            { name: "namespace", dataRef: "namespace" },
            { name: "word", dataRef: source },
          ],
        },
        exports: { data: [{ name: "word", dataRef: exported }] },
      });
    await scope.apply(dataObject("one", "first"), dataObject("two", "second"));
    await scope.apply(of({ source: "one", item: "before", exported: "old-word" }));
    await scope.waitForPhase("inst", "Succeeded");
    expect(await scope.exported("old-word")).toBe("first");
    const old = await scope.findOnTarget(kubeResources.configMap, "renamed");

    await scope.apply(of({ source: "two", item: "after", exported: "new-word" }));
    await scope.waitForPhase("inst", "Succeeded");
    const deployed = await scope.findOnTarget(kubeResources.configMap, "renamed");
    expect(deployed?.data).toEqual({ word: "second" });
    // The old item was uninstalled before the new one came: it is another ConfigMap.
    expect(deployed?.metadata.uid).not.toBe(old?.metadata.uid);
    expect([...(await scope.deployItems("inst")).keys()]).toEqual(["after"]);
    expect(await scope.find(resources.dataObject, "old-word")).toBeUndefined();
    expect(await scope.exported("new-word")).toBe("second");
  });

  describe("import executions", () => {
    const blueprint = {
      imports: [
        clusterImport,
        namespaceParameter,
        dataParameter("arbitraryImport", text),
        dataParameter("mapToList", { type: "object" }),
        { ...dataParameter("problem", text), required: false },
      ],
      importExecutions: goTemplate(`
bindings:
  list:
{{- range $key, $value := .imports.mapToList }}
    - {{ $key }}-{{ $value }}
{{- end }}
{{- if .imports.problem }}
errors: [ "mapToList has no key for the region" ]
{{- end }}
`),
      deployExecutions: goTemplate(
        `deployItems:${configMapItem({ name: "list", data: { arbitrary: "{{ .imports.arbitraryImport }}", list: '{{ join "," .imports.list }}' } })}`,
      ),
    };
    const of = (problem: readonly unknown[] = []): UnstructuredObject =>
      inlineInstallation({
        name: "inst",
        blueprint,
        imports: { targets: targetImport, data: [{ name: "namespace", dataRef: "namespace" }, ...problem] },
        spec: { importDataMappings: { arbitraryImport: "constant", mapToList: { a: 1, b: 2 } } },
      });

    it("scenario 6: make new bindings of what mappings supply", async () => {
      const scope = await scopeWithTarget("bindings");
      await scope.apply(of());
      await scope.waitForPhase("inst", "Succeeded");
      const deployed = await scope.findOnTarget(kubeResources.configMap, "list");
      expect(deployed?.data).toEqual({ arbitrary: "constant", list: "a-1,b-2" });
    });

    it("scenario 6: fail the job with the errors that they report", async () => {
      const scope = await scopeWithTarget("errors");
      await scope.apply(dataObject("problem", "yes"), of([{ name: "problem", dataRef: "problem" }]));
      const failed = await scope.waitForPhase("inst", "Failed");
      expect(failed.status?.lastError?.message).toContain("mapToList has no key for the region");
      expect(await scope.list(resources.deployItem)).toEqual([]);

      await scope.apply(of());
      await scope.waitForPhase("inst", "Succeeded");
    });
  });

  it("scenario 7: mappings make imports of what there is, and exports of what comes out", async () => {
    const scope = await scopeWithTarget("mappings");
    const release = { type: "object", required: ["name", "namespace"] };
    const blueprint = {
      imports: [clusterImport, namespaceParameter, dataParameter("release", release), dataParameter("text", text)],
      exports: [dataParameter("user", text), dataParameter("password", text)],
      deployExecutions: goTemplate(
        `deployItems:${configMapItem({ name: "{{ .imports.release.name }}", data: { release: "{{ .imports.release.namespace }}", text: "{{ .imports.text }}" } })}`,
      ),
      exportExecutions: goTemplate("exports: { user: admin, password: initial }\n"),
    };
    await scope.apply(
      dataObject("do-name", "mapped"),
      dataObject("do-namespace", "somewhere"),
      inlineInstallation({
        name: "inst",
        blueprint,
        imports: {
          targets: targetImport,
          data: [
            { name: "namespace", dataRef: "namespace" },
            { name: "temp-name", dataRef: "do-name" },
            { name: "temp-namespace", dataRef: "do-namespace" },
          ],
        },
        exports: { data: [{ name: "creds", dataRef: "do-creds" }] },
        spec: {
          importDataMappings: {
            release: { name: "(( temp-name ))", namespace: "(( temp-namespace ))" },
            text: "a constant",
          },
          exportDataMappings: { creds: [{ name: "(( user ))", value: "(( exports.password ))" }] },
        },
      }),
    );
    await scope.waitForPhase("inst", "Succeeded");
    const deployed = await scope.findOnTarget(kubeResources.configMap, "mapped");
    expect(deployed?.data).toEqual({ release: "somewhere", text: "a constant" });
    expect(await scope.exported("do-creds")).toEqual([{ name: "admin", value: "initial" }]);
  });
});
