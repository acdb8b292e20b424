import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Installation, KubeObject, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import type { Environment } from "../src/environment.ts";
import { startEnvironment } from "../src/environment.ts";
import { examplesFolder } from "../src/examples-folder.ts";
import { fillTemplate, indent, parseManifests } from "../src/manifests.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";
import { ensureObject } from "../src/service-token.ts";
import type { TestNamespace } from "../src/test-namespace.ts";

const read = (path: string): string => readFileSync(join(examplesFolder, path), "utf8");

/** The namespace that the examples deploy into. */
const targetNamespace = "example";

function load(scope: TestNamespace, path: string): KubeObject[] {
  const values = {
    namespace: scope.name,
    kubeconfig: indent(scope.environment.targetKubeconfig, 6),
    repoBaseUrl: "registry.example.test",
  };
  return parseManifests(fillTemplate(read(path), values));
}

/** The Installation with the blueprint of this folder inline, in place of the component's. */
function withInlineBlueprint(object: KubeObject, blueprintFolder: string): UnstructuredObject {
  const { componentDescriptor: _, ...spec } = (object as Installation).spec; // the example is one
  const files = ["blueprint.yaml", "deploy-execution.yaml", "export-execution.yaml"];
  const filesystem = Object.fromEntries(files.map((file) => [file, read(join(blueprintFolder, file))]));
  return { ...object, spec: { ...spec, blueprint: { inline: { filesystem } } } };
}

// plan-run.ts leaves this suite out, and says so, where the examples are not beside the project.
describe.each(clustersUnderTest())("the guided tour on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
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
});
