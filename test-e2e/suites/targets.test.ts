import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Installation, UnstructuredObject } from "@landscaper/api";
import { kubeResources, labels, resources, scopeOfInstallation } from "@landscaper/api";
import { configMapItem } from "../src/installations/config-map-item.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { dataObject, dataParameter, goTemplate, inlineInstallation } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { targetMapVariants } from "../src/installations/target-map-variants.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const text = { type: "string" };
const namespaceImport = { name: "namespace", dataRef: "namespace" };
const clusterType = "landscaper.gardener.cloud/kubernetes-cluster";

describe.each(clustersUnderTest())("maps and exports of targets on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  async function scopeWithNamespace(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(dataObject("namespace", scope.targetNamespace));
    return scope;
  }

  describe("scenario 14: the keys of a target map", () => {
    it.each(targetMapVariants)("come, stay and go: $name", async ({ objects }) => {
      const scope = await scopeWithNamespace("target-map");
      await scope.apply(...["red", "blue", "yellow"].map((color) => scope.target(`target-${color}`)));
      const deployed = async () => {
        const [red, blue, yellow] = await Promise.all(
          ["red", "blue", "yellow"].map((color) => scope.findOnTarget(kubeResources.configMap, color)),
        );
        return { red, blue, yellow };
      };
      await scope.apply(...objects(["red", "blue"]));
      await scope.waitForPhase("root", "Succeeded");
      const before = await deployed();
      expect([before.red?.data, before.blue?.data, before.yellow]).toEqual([
        { keys: "blue red" },
        { keys: "blue red" },
        undefined,
      ]);

      await scope.apply(...objects(["blue", "yellow"]));
      await scope.waitForPhase("root", "Succeeded");
      const after = await deployed();
      expect([after.red, after.blue?.data, after.yellow?.data]).toEqual([
        undefined,
        { keys: "blue yellow" },
        { keys: "blue yellow" },
      ]);
      expect(after.blue?.metadata.uid).toBe(before.blue?.metadata.uid);

      await scope.delete(resources.installation, "root");
      await scope.untilGone(resources.installation, "root");
      expect(await deployed()).toEqual({});
      expect(await scope.list(resources.deployItem)).toEqual([]);
    });
  });

  describe("scenario 15: exported targets", () => {
    const exporter = (type = clusterType): UnstructuredObject =>
      inlineInstallation({
        name: "exporter",
        blueprint: {
          imports: [dataParameter("kubeconfig", text)],
          exports: ["one", "two"].map((name) => ({ name, type: "target", targetType: clusterType })),
          exportExecutions: goTemplate(
            `exports:
  one: { type: ${type}, config: { kubeconfig: {{ .imports.kubeconfig | toJson }} } }
  two: { type: ${type}, config: { kubeconfig: {{ .imports.kubeconfig | toJson }} } }
`,
          ),
        },
        imports: { data: [{ name: "kubeconfig", secretRef: { name: "kubeconfig", key: "value" } }] },
        exports: {
          targets: [
            { name: "one", target: "target-1" },
            { name: "two", target: "target-2" },
          ],
        },
      });
    const secretWith = (kubeconfig: string): UnstructuredObject => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "kubeconfig" },
      data: { value: Buffer.from(JSON.stringify(kubeconfig)).toString("base64") },
    });
    const importer = inlineInstallation({
      name: "importer",
      blueprint: {
        imports: [{ name: "clusters", type: "targetList", targetType: clusterType }, dataParameter("namespace", text)],
        deployExecutions: goTemplate(
          `deployItems:
{{- range $index, $target := .imports.clusters }}
${configMapItem({
  item: "item-{{ $index }}",
  name: "list-{{ $index }}",
  data: { index: "{{ $index }}" },
  target: "{ import: clusters, index: {{ $index }} }",
}).replaceAll(".imports.", "$.imports.")}
{{- end }}
`,
        ),
      },
      imports: { targets: [{ name: "clusters", targets: ["target-1", "target-2"] }], data: [namespaceImport] },
    });

    it("are made with their access data and imported as a list, and a change starts a job of the importer", async () => {
      const scope = await scopeWithNamespace("exported-targets");
      const { targetKubeconfig } = environment;
      await scope.apply(secretWith(targetKubeconfig), exporter());
      await scope.waitForPhase("exporter", "Succeeded");
      const exported = await scope.get(resources.target, "target-1");
      expect(exported.spec).toEqual({ type: clusterType, config: { kubeconfig: targetKubeconfig } });
      expect(exported.metadata.labels).toMatchObject({
        [labels.dataSource]: scopeOfInstallation("exporter"),
        [labels.dataSourceType]: "export",
      });
      await scope.apply(importer);
      const first = await scope.waitForPhase("importer", "Succeeded");
      const list = async () =>
        Promise.all(["list-0", "list-1"].map((name) => scope.findOnTarget(kubeResources.configMap, name)));
      expect((await list()).map((object) => object?.data)).toEqual([{ index: "0" }, { index: "1" }]);

      const changed = `${targetKubeconfig}\n# rotated\n`;
      await scope.apply(secretWith(changed), exporter());
      await scope.waitForPhase("exporter", "Succeeded");
      expect((await scope.get(resources.target, "target-1")).spec.config).toEqual({ kubeconfig: changed });
      // Nobody asks for this job but the exporter's end.
      const isNext = (found: Installation | undefined): boolean =>
        found?.status?.jobIDFinished !== undefined && found.status.jobIDFinished !== first.status?.jobID;
      await scope.until(resources.installation, "importer", isNext);
      const next = await scope.waitForPhase("importer", "Succeeded");
      expect(next.status?.importsHash).not.toBe(first.status?.importsHash);
    });

    it("of another type than the blueprint says fail the job", async () => {
      const scope = await scopeWithNamespace("target-type");
      await scope.apply(secretWith(environment.targetKubeconfig), exporter("landscaper.gardener.cloud/mock"));
      const failed = await scope.waitForPhase("exporter", "Failed");
      expect(failed.status?.lastError?.message).toContain(
        `exports.one: expected a target of type ${clusterType}, found one of type landscaper.gardener.cloud/mock`,
      );
      expect(await scope.find(resources.target, "target-1")).toBeUndefined();
    });
  });
});
