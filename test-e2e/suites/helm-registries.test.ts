// Charts in registries that want credentials, and charts that are not there (deployers.md §5, A6 and A19), with the services as processes.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import type { DeployItem, ErrorStatus, UnstructuredObject } from "@landscaper/api";
import { annotations, kubeResources, operations, resources } from "@landscaper/api";
import { bcryptHash } from "@landscaper/golang";
import { packChart } from "@landscaper/helm-deployer-lib/testing";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";
import { pushChart } from "../src/artifacts/push-chart.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const user = "robot";
const password = "correct-horse";
const wrongPassword = "wrong-horse";
const map = `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}-map" }
data: { version: {{ .Chart.Version }} }
`;
/** Long enough that only an error that ends the job can end it within a test. */
const long = "10m";

async function archiveOf(version: string): Promise<Buffer> {
  return await packChart({ "templates/map.yaml": map }, { version });
}

function installation(scope: TestNamespace, ref: string, timeout: string): UnstructuredObject {
  const config = { chart: { ref } };
  return itemsInstallation([helmItem({ namespace: scope.targetNamespace, config, item: { timeout } })]);
}

function pullSecret(host: string, text: string): UnstructuredObject {
  const auth = Buffer.from(`${user}:${text}`).toString("base64");
  const config = Buffer.from(JSON.stringify({ auths: { [host]: { auth } } })).toString("base64");
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, data: { ".dockerconfigjson": config } };
}

const context: UnstructuredObject = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Context",
  metadata: { name: "default" },
  registryPullSecrets: [{ name: "pull" }],
};

async function itemOf(scope: TestNamespace): Promise<DeployItem | undefined> {
  return (await scope.deployItems("root")).get("item");
}

async function lastError(scope: TestNamespace): Promise<ErrorStatus | undefined> {
  return (await itemOf(scope))?.status?.lastError;
}

/** The item once a try of the running job has failed. */
async function triedItem(scope: TestNamespace): Promise<DeployItem> {
  for (;;) {
    const item = await itemOf(scope);
    if (item?.status?.lastError !== undefined) return item;
    await sleep(50);
  }
}

async function data(scope: TestNamespace): Promise<unknown> {
  return (await scope.findOnTarget(kubeResources.configMap, "app-map"))?.data;
}

const describeWithRegistry = describeUnless(programAbsence("docker-registry"), describe);
for (const cluster of clustersUnderTest())
  describeWithRegistry(`charts in registries on ${cluster}`, () => {
    let environment: Environment;
    let guarded: TestRegistry;
    let open: TestRegistry;

    beforeAll(async () => {
      const htpasswd = `${user}:${bcryptHash(password, 4, Buffer.alloc(16, 7))}\n`;
      [guarded, open] = await Promise.all([startTestRegistry({ htpasswd }), startTestRegistry()]);
      const credentials = [{ host: guarded.host, path: "", credential: { username: user, password } }];
      await pushChart({
        reference: `http://${guarded.host}/charts/app:1.0.0`,
        archive: await archiveOf("1.0.0"),
        credentials,
      });
      await pushChart({ reference: `http://${open.host}/charts/app:1.0.0`, archive: await archiveOf("1.0.0") });
      environment = await startEnvironment({ cluster, services: ["landscaper-core", "helm-deployer"] });
    });
    afterAll(async () => {
      await environment?.stop();
      await Promise.all([guarded?.stop(), open?.stop()]);
    });

    async function enter(name: string): Promise<TestNamespace> {
      const scope = await environment.namespace(name);
      await scope.apply(scope.target("target"));
      return scope;
    }

    const guardedRef = (): string => `http://${guarded.host}/charts/app:1.0.0`;
    const manifestUrl = (host: string, version: string): string => `http://${host}/v2/charts/app/manifests/${version}`;

    it("are read with the Context's pull secret (A6)", async () => {
      const scope = await enter("a6");
      await scope.apply(pullSecret(guarded.host, password), context, installation(scope, guardedRef(), long));
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope)).toEqual({ version: "1.0.0" });
      const item = await itemOf(scope);
      expect(item?.status?.providerStatus).toMatchObject({ chart: { version: "1.0.0" } });
      expect(JSON.stringify(item)).not.toContain(password);
    });

    it("end the job at once without credentials; with a pull secret the next job succeeds (A6)", async () => {
      const scope = await enter("a6-without");
      await scope.apply(installation(scope, guardedRef(), long));
      await scope.waitForPhase("root", "Failed");
      expect(await lastError(scope)).toMatchObject({
        reason: "RegistryUnauthorized",
        codes: ["ERR_UNAUTHORIZED"],
        message: expect.stringContaining(`${manifestUrl(guarded.host, "1.0.0")}: credentials are needed (401)`),
      });
      expect(await data(scope)).toBeUndefined();
      await scope.apply(pullSecret(guarded.host, password), context);
      await scope.trigger("root");
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope)).toEqual({ version: "1.0.0" });
    });

    it("end the job at once with a wrong password; the message says whose, never the password (A6)", async () => {
      const scope = await enter("a6-wrong");
      await scope.apply(pullSecret(guarded.host, wrongPassword), context, installation(scope, guardedRef(), long));
      const failed = await scope.waitForPhase("root", "Failed");
      const words = `${manifestUrl(guarded.host, "1.0.0")}: the credentials (Secret pull: .dockerconfigjson) were refused (401)`;
      expect(await lastError(scope)).toMatchObject({
        reason: "RegistryUnauthorized",
        codes: ["ERR_UNAUTHORIZED"],
        message: expect.stringContaining(words),
      });
      const shown = JSON.stringify([failed, await itemOf(scope)]) + environment.describeLogs();
      const pair = Buffer.from(`${user}:${wrongPassword}`).toString("base64");
      expect([wrongPassword, pair].filter((secret) => shown.includes(secret))).toEqual([]);
      await scope.apply(pullSecret(guarded.host, password));
      await scope.trigger("root");
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope)).toEqual({ version: "1.0.0" });
    });

    it("are asked for again while a version is missing, until the time is up; corrected it works (A19)", async () => {
      const scope = await enter("a19");
      await scope.apply(installation(scope, `http://${open.host}/charts/app:9.9.9`, "6s"));
      const missing = `${manifestUrl(open.host, "9.9.9")}: not found (404)`;
      expect((await triedItem(scope)).status).toMatchObject({
        phase: "Progressing",
        lastError: { reason: "RegistryNotFound", message: expect.stringContaining(missing) },
      });
      await scope.waitForPhase("root", "Failed");
      expect(await lastError(scope)).toMatchObject({
        codes: expect.arrayContaining(["ERR_TIMEOUT"]),
        message: expect.stringContaining(missing),
      });
      await scope.apply(installation(scope, `http://${open.host}/charts/app:1.0.0`, long));
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope)).toEqual({ version: "1.0.0" });
    });

    it("are deployed when the missing version comes within the time of the job", async () => {
      const scope = await enter("a19-late");
      const reference = `http://${open.host}/charts/app:2.0.0`;
      await scope.apply(installation(scope, reference, long));
      await triedItem(scope);
      await pushChart({ reference, archive: await archiveOf("2.0.0") });
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope)).toEqual({ version: "2.0.0" });
      expect(await lastError(scope)).toBeUndefined();
    });

    it("are given up at once by an interrupt, which frees the Installation (A19)", async () => {
      const scope = await enter("a19-interrupt");
      await scope.apply(installation(scope, `http://${open.host}/charts/app:9.9.9`, long));
      await triedItem(scope);
      const body = { metadata: { annotations: { [annotations.operation]: operations.interrupt } } };
      const key = { namespace: scope.name, name: "root" };
      await environment.client.patch(resources.installation, key, { type: "merge", body });
      await scope.waitForPhase("root", "Failed");
      expect((await itemOf(scope))?.status?.phase).toBe("Failed");
      await scope.apply(installation(scope, `http://${open.host}/charts/app:1.0.0`, long));
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope)).toEqual({ version: "1.0.0" });
    });
  });
