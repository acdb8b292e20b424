// Landscaper installs its deployers and its agent: the components of k8s/components, from a registry, by the core and a helm deployer.
// Their pods do not run: the clusters have no nodes, and the test plays the kubelet.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, productVersion, resources, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { parseAllDocuments, stringify } from "yaml";
import { componentNameOf } from "../../scripts/components/deployer-components.ts";
import { provideComponents } from "../agent/deployer-components.ts";
import { buildOracle, oracleAbsence } from "../oracles/build-oracle.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { runDeployment } from "../src/items/play-kubelet.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const deployers = ["container-deployer", "helm-deployer", "manifest-deployer", "mock-deployer"] as const;
const images = "registry.example/landscaper";
const guide = readGuideExamples("deployer-components.md");
const folder = mkdtempSync(join(tmpdir(), "landscaper-deployer-components-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const missing = programAbsence("docker-registry") ?? oracleAbsence("helm");

type Values = Readonly<Record<string, unknown>>;

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: folder };
  return (await promisify(execFile)(command, args, { env, maxBuffer: 1 << 26 })).stdout;
}

interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly deployer: string;
}

/** What the real helm makes of the chart of the deployer with these values. */
async function templateOf({ name, namespace, deployer }: Release, values: Values): Promise<UnstructuredObject[]> {
  const file = join(folder, "values.yaml");
  writeFileSync(file, stringify(values));
  const chart = join(folder, "components/charts", `${deployer}-${productVersion}.tgz`);
  const helm = join(buildOracle("helm").folder, "helm");
  const printed = await run(helm, "template", name, chart, "-n", namespace, "-f", file, "--no-hooks");
  const objects = parseAllDocuments(printed, { version: "1.1" }).map(
    (document) => document.toJS() as UnstructuredObject | null,
  );
  return objects.filter((object) => object !== null);
}

function dataObject(name: string, data: unknown): UnstructuredObject {
  return { apiVersion, kind: "DataObject", metadata: { name }, data };
}

interface Wanted {
  /** Of the Installation and of the release. */
  readonly name: string;
  readonly deployer: string;
  readonly registry: string;
  readonly data: Values;
  readonly targets: readonly string[];
}

/** An Installation of the component of a deployer, with its imports as DataObjects. */
function installationOf({ name, deployer, registry, data, targets }: Wanted): UnstructuredObject[] {
  const names = Object.keys(data);
  const installation = {
    apiVersion,
    kind: "Installation",
    metadata: { name, annotations: { "landscaper.gardener.cloud/operation": "reconcile" } },
    spec: {
      componentDescriptor: { ref: { componentName: componentNameOf(deployer), version: productVersion } },
      blueprint: { ref: { resourceName: "blueprint" } },
      imports: {
        data: names.map((each) => ({ name: each, dataRef: `${name}-${each.toLowerCase()}` })),
        targets: targets.map((each) => ({ name: each, target: each.toLowerCase() })),
      },
    },
  };
  const context = {
    apiVersion,
    kind: "Context",
    metadata: { name: "default" },
    repositoryContext: { type: "OCIRegistry", baseUrl: registry },
  };
  const imports = names.map((each) => dataObject(`${name}-${each.toLowerCase()}`, data[each]));
  return [context, ...imports, installation];
}

describe.each(clustersUnderTest())("components of the deployers and of the agent on %s", (cluster) => {
  describeUnless(missing, describe)("in a registry", () => {
    let environment: Environment;
    let registry: TestRegistry;
    let scope: TestNamespace;
    const repository = (): string => `http://${registry.host}/components`;

    beforeAll(async () => {
      registry = await startTestRegistry();
      await provideComponents({
        output: join(folder, "components"),
        images,
        repository: repository(),
        deployers: [...deployers, "landscaper-agent"],
      });
      environment = await startEnvironment({ cluster, services: ["landscaper-core", "helm-deployer"] });
      scope = await environment.namespace("deployers");
      await scope.apply(scope.target("cluster"), scope.target("landscapercluster"));
    }, 180_000);
    afterAll(async () => {
      await environment?.stop();
      await registry?.stop();
    });

    /** Waits for the end of the Installation, and expects what helm makes of the chart with these values. */
    async function expectObjects({ name, deployer }: Pick<Wanted, "name" | "deployer">, values: Values): Promise<void> {
      const namespace = scope.targetNamespace;
      const fullName = name.includes(deployer) ? name : `${name}-${deployer}`;
      await scope.waitOnTarget(kubeResources.deployment, fullName, (object) => object !== undefined);
      await runDeployment(scope, fullName);
      await scope.waitForPhase(name, "Succeeded");
      const image = { repository: `${images}/${deployer}`, tag: productVersion };
      const expected = await templateOf({ name, namespace, deployer }, { image, ...values });
      const kinds = expected.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(["Deployment", "ConfigMap", "ServiceAccount"]));
      for (const object of expected) {
        const key = { name: object.metadata.name ?? "", namespace: object.metadata.namespace };
        const live = await environment.targetClient.find(typeOf(object), key);
        expect(live).toMatchObject(withoutStringData(object));
      }
    }

    it.each(deployers)("install the %s for the cluster that it runs in", async (deployer) => {
      const values = { replicaCount: 2, deployer: { leaseNamespace: scope.targetNamespace } };
      const name = `my-${deployer}`;
      const data = { values, releaseName: name, releaseNamespace: scope.targetNamespace };
      const wanted = { name, deployer, data, targets: ["cluster"] };
      await scope.apply(...installationOf({ ...wanted, registry: repository() }));
      await expectObjects(wanted, values);
    });

    it("install a deployer for another landscaper cluster, as the guide says", async () => {
      const deployer = "manifest-deployer";
      const namespace = scope.targetNamespace;
      await scope.apply(scope.target("edge-cluster"), scope.target("landscaper-cluster"));
      await scope.apply(...guide.load("install", { registry: repository(), version: productVersion, namespace }));
      const { targetKubeconfig: kubeconfig } = environment;
      const settings = {
        verbosityLevel: "debug",
        identity: "edge",
        targetSelector: [{ annotations: [{ key: "example.org/zone", operator: "=", values: ["edge"] }] }],
        landscaperClusterKubeconfig: { kubeconfig },
        leaseDuration: "300s",
      };
      await expectObjects({ name: "edge", deployer }, { deployer: settings, replicaCount: 2 });
      const key = { namespace, name: `edge-${deployer}-landscaper-kubeconfig` };
      const secret = await environment.targetClient.get(kubeResources.secret, key);
      expect(Buffer.from(secret.data?.["kubeconfig"] ?? "", "base64").toString()).toBe(kubeconfig);
    });

    it("install an agent for another landscaper cluster", async () => {
      const deployer = "landscaper-agent";
      const namespace = scope.targetNamespace;
      const targetSelectors = [{ targets: [{ name: "edge", namespace: "" }] }];
      const namespaces = ["team-a", "team-b"];
      const values = { replicaCount: 2, agent: { verbosityLevel: "debug", name: "overwritten" } };
      const imports = { environment: "edge", targetSelectors, namespaces };
      const data = { values, ...imports, releaseName: "agent", releaseNamespace: namespace };
      const wanted = { name: "agent", deployer, data, targets: ["cluster", "landscaperCluster"] };
      await scope.apply(...installationOf({ ...wanted, registry: repository() }));
      const { targetKubeconfig: kubeconfig } = environment;
      const landscaperClusterKubeconfig = { kubeconfig };
      const own = { name: "edge", targetSelectors, namespaces, landscaperClusterKubeconfig };
      const settings = { verbosityLevel: "debug", ...own };
      await expectObjects({ name: "agent", deployer }, { agent: settings, replicaCount: 2 });
    });

    it("let the imports win over values", async () => {
      const deployer = "mock-deployer";
      const settings = { verbosityLevel: "warn", leaseNamespace: scope.targetNamespace };
      const overwritten = { identity: "overwritten", namespaces: ["one", "overwritten"] };
      const values = { deployer: { ...overwritten, ...settings }, image: { tag: "patched" } };
      const strong = { identity: "strong", namespaces: [scope.targetNamespace] };
      const data = { values, ...strong, releaseName: "merged", releaseNamespace: scope.targetNamespace };
      const wanted = { name: "merged", deployer, data, targets: ["cluster"] };
      await scope.apply(...installationOf({ ...wanted, registry: repository() }));
      const image = { repository: `${images}/${deployer}`, tag: "patched" };
      const merged = { deployer: { ...strong, ...settings }, image };
      await expectObjects({ name: "merged", deployer }, merged);
    });

    it("say that a kubeconfig in a Secret of the Target cannot be passed on", async () => {
      const spec = { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: "away" } };
      await scope.apply({ ...scope.target("landscapercluster"), metadata: { name: "landscapercluster" }, spec });
      const data = { releaseName: "hidden", releaseNamespace: scope.targetNamespace };
      const targets = ["cluster", "landscaperCluster"];
      const wanted = { name: "hidden", deployer: "mock-deployer", data, targets };
      await scope.apply(...installationOf({ ...wanted, registry: repository() }));
      const { status } = await scope.waitForPhase("hidden", "Failed");
      expect(status?.lastError?.message).toContain(
        "landscaperCluster: expected a Target with a kubeconfig in spec.config; for one in a Secret of the deployer's namespace set deployer.landscaperClusterKubeconfig.secretRef in values",
      );
    });

    it("uninstall a deployer with its Installation", async () => {
      const { client, targetClient } = environment;
      await client.delete(resources.installation, { namespace: scope.name, name: "my-mock-deployer" });
      await scope.untilGone(resources.installation, "my-mock-deployer");
      const key = { namespace: scope.targetNamespace, name: "my-mock-deployer" };
      expect(await targetClient.find(kubeResources.deployment, key)).toBeUndefined();
      expect(await targetClient.find(kubeResources.namespace, { name: scope.targetNamespace })).toBeDefined();
    });
  });
});

/** Of the kinds that the charts have. */
function typeOf({ apiVersion, kind }: UnstructuredObject): ResourceType {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  const namespaced = !kind.startsWith("Cluster") && kind !== "Namespace";
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced };
}

/** The API server keeps `stringData` as `data`. */
function withoutStringData(object: UnstructuredObject): UnstructuredObject {
  const { stringData, ...rest } = object as UnstructuredObject & { stringData?: Readonly<Record<string, string>> };
  if (stringData === undefined) return object;
  const entries = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return { ...rest, data: Object.fromEntries(entries) };
}
