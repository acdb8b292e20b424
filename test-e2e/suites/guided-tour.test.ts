import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Installation, KubeObject, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { hasRegistryProgram, startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { findProgram } from "../cluster/binaries.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import type { Environment } from "../src/environment.ts";
import { startEnvironment } from "../src/environment.ts";
import { examplesFolder } from "../src/examples-folder.ts";
import { fillTemplate, indent, parseManifests } from "../src/manifests.ts";
import { packFolder } from "../src/pack-folder.ts";
import { pushChart } from "../src/push-chart.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";
import { ensureObject } from "../src/service-token.ts";
import type { TestNamespace } from "../src/test-namespace.ts";

const read = (path: string): string => readFileSync(join(examplesFolder, path), "utf8");

/** The namespace that the examples deploy into. */
const targetNamespace = "example";

function load(scope: TestNamespace, path: string, edit = (text: string): string => text): KubeObject[] {
  const values = {
    namespace: scope.name,
    kubeconfig: indent(scope.environment.targetKubeconfig, 6),
    repoBaseUrl: "registry.example.test",
  };
  return parseManifests(fillTemplate(edit(read(path)), values));
}

/** The Installation with the blueprint of this folder inline, in place of the component's. */
function withInlineBlueprint(object: KubeObject, blueprintFolder: string): UnstructuredObject {
  const { componentDescriptor: _, ...spec } = (object as Installation).spec; // the example is one
  const files = ["blueprint.yaml", "deploy-execution.yaml", "export-execution.yaml"];
  const filesystem = Object.fromEntries(files.map((file) => [file, read(join(blueprintFolder, file))]));
  return { ...object, spec: { ...spec, blueprint: { inline: { filesystem } } } };
}

/** Where the example's charts are published; here it is the registry's host that is another. */
const publicRegistry = /europe-docker\.pkg\.dev(?=\/)/g;
const repository = "sap-gcp-cp-k8s-stable-hub/landscaper-examples/examples/charts";
const charts = {
  "1.0.0": "hello-world/chart/hello-world",
  "1.0.1": "basics/upgrade/chart/hello-world",
} as const;
type ChartVersion = keyof typeof charts;
const chartVersions = Object.keys(charts) as ChartVersion[]; // of an object of this file

const noRegistry = hasRegistryProgram() ? "" : " (skipped: the program docker-registry is missing)";
const noHelm = findProgram("go") === undefined ? " (skipped: there is no Go to build helm with)" : "";
/** Who packs and pushes the charts, and why it does not. */
const pushers = [
  { name: "helm push", isReal: true, missing: noRegistry === "" ? noHelm : noRegistry },
  { name: "our own client", isReal: false, missing: noRegistry },
] as const;

// plan-run.ts leaves this suite out, and says so, where the examples are not beside the project.
describe.each(clustersUnderTest())("the guided tour on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
    const configs = { "helm-deployer": { oci: { allowPlainHttp: true } } };
    environment = await startEnvironment({ cluster, services, configs });
    await ensureObject(environment.targetClient, kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: targetNamespace },
    });
    // The service account controller makes tokens for accounts only; the example needs none before.
  }, 120_000);
  afterAll(async () => environment.stop());

  it("basics/manifest-deployer deploys its ConfigMap and takes it away", async () => {
    const scope = await environment.namespace("manifest-tour");
    await scope.apply(
      ...load(scope, "basics/manifest-deployer/installation/target.yaml.tpl"),
      ...load(scope, "basics/manifest-deployer/installation/installation.yaml.tpl"),
    );
    await scope.waitForPhase("hello-world", "Succeeded");
    const key = { namespace: targetNamespace, name: "hello-world" };
    const deployed = await environment.targetClient.get(kubeResources.configMap, key);
    expect(deployed.data).toEqual({ testData: "hello" });

    await scope.delete(resources.installation, "hello-world");
    await scope.waitGone(resources.installation, "hello-world");
    expect(await environment.targetClient.find(kubeResources.configMap, key)).toBeUndefined();
  });

  it("import-export/export-parameters exports the token that a controller fills in", async () => {
    const scope = await environment.namespace("export-tour");
    const path = "import-export/export-parameters";
    await scope.apply(
      ...load(scope, `${path}/installation/target.yaml.tpl`),
      ...load(scope, `${path}/installation/context.yaml.tpl`),
      ...load(scope, `${path}/installation/installation.yaml.tpl`).map((object) =>
        withInlineBlueprint(object, `${path}/blueprint`),
      ),
    );
    await scope.waitForPhase("export-token", "Succeeded");
    const key = { namespace: targetNamespace, name: "test-secret" };
    const secret = await environment.targetClient.get(kubeResources.secret, key);
    const token = Buffer.from(secret.data?.["token"] ?? "", "base64").toString();
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await scope.exported("my-token")).toBe(token);

    await scope.delete(resources.installation, "export-token");
    await scope.waitGone(resources.installation, "export-token");
    expect(await environment.targetClient.find(kubeResources.secret, key)).toBeUndefined();
    await scope.waitGone(resources.dataObject, "my-token");
  });

  function tourThrough({ isReal }: (typeof pushers)[number]): void {
    let registry: TestRegistry;
    beforeAll(async () => {
      registry = await startTestRegistry();
      await (isReal ? pushWithHelm : pushWithOurs)(registry.host);
    }, 240_000);
    afterAll(async () => registry?.stop());

    async function pushWithHelm(host: string): Promise<void> {
      const helm: RealHelm = createRealHelm(environment.targetKubeconfig, targetNamespace);
      const folder = mkdtempSync(join(tmpdir(), "landscaper-tour-"));
      try {
        for (const version of chartVersions) {
          await helm.run("package", join(examplesFolder, charts[version]), "--destination", folder);
          const archive = join(folder, `hello-world-${version}.tgz`);
          await helm.run("push", archive, `oci://${host}/${repository}`, "--plain-http");
        }
      } finally {
        helm.dispose();
        rmSync(folder, { recursive: true, force: true });
      }
    }

    async function pushWithOurs(host: string): Promise<void> {
      for (const version of chartVersions) {
        const folder = join(examplesFolder, charts[version]);
        const archive = await packFolder(folder);
        await pushChart({ reference: `http://${host}/${repository}/hello-world:${version}`, archive });
      }
    }

    /** The example as it is, but for the host of the registry. */
    function loadHere(scope: TestNamespace, path: string): KubeObject[] {
      return load(scope, path, (text) => text.replaceAll(publicRegistry, registry.host));
    }

    async function deployed(): Promise<unknown> {
      const key = { namespace: targetNamespace, name: "hello-world" };
      const [map, secret] = await Promise.all([
        environment.targetClient.find(kubeResources.configMap, key),
        environment.targetClient.find(kubeResources.secret, key),
      ]);
      return { map: map?.data, secret: secret?.data };
    }

    async function remove(scope: TestNamespace): Promise<void> {
      await scope.delete(resources.installation, "hello-world");
      await scope.waitGone(resources.installation, "hello-world");
    }

    it("hello-world deploys its ConfigMap and takes it away", async () => {
      const scope = await environment.namespace("hello-tour");
      const folder = "hello-world/installation";
      await scope.apply(
        ...loadHere(scope, `${folder}/target.yaml.tpl`),
        ...loadHere(scope, `${folder}/installation.yaml.tpl`),
      );
      await scope.waitForPhase("hello-world", "Succeeded");
      expect(await deployed()).toEqual({ map: { testData: "hello" }, secret: undefined });
      await remove(scope);
      expect(await deployed()).toEqual({ map: undefined, secret: undefined });
    });

    it("basics/upgrade replaces the ConfigMap of 1.0.0 by the Secret of 1.0.1 (A18)", async () => {
      const scope = await environment.namespace("upgrade-tour");
      const folder = "basics/upgrade/installation";
      await scope.apply(
        ...loadHere(scope, `${folder}/target.yaml.tpl`),
        ...loadHere(scope, `${folder}/installation.yaml.tpl`),
      );
      await scope.waitForPhase("hello-world", "Succeeded");
      expect(await deployed()).toEqual({ map: { testData: "hello" }, secret: undefined });
      await scope.apply(...loadHere(scope, `${folder}/installation-upg.yaml.tpl`));
      await scope.waitForPhase("hello-world", "Succeeded");
      expect(await deployed()).toEqual({ map: undefined, secret: { testData: "aGVsbG8=" } });
      await remove(scope);
      expect(await deployed()).toEqual({ map: undefined, secret: undefined });
    });
  }

  for (const pusher of pushers) {
    const title = `charts that come into a registry by ${pusher.name}${pusher.missing}`;
    (pusher.missing === "" ? describe : describe.skip)(title, () => tourThrough(pusher));
  }
});
