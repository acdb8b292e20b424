// How a deployer reaches a target (deployers.md §2.6, A24, B28, items 5, 6, 53, 54, 57).
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { waitFor, type ApiProxy, startApiProxy, type SeenRequest, noFaults } from "@landscaper/testkit";
import { parse, stringify } from "yaml";
import { referenceOf } from "../src/items/item-scope.ts";
import type { ItemScope } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { ensureObject } from "../src/clusters/service-token.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const isTokenRequest = ({ method, path }: SeenRequest, account: string): boolean =>
  method === "POST" && path.endsWith(`/serviceaccounts/${account}/token`);

describe.each(clustersUnderTest())("targets on %s", (cluster) => {
  let proxy: ApiProxy | undefined;
  /** Hub and target are one, so that the proxy before it sees which tokens are asked for. */
  const suite = useManifestDeployer({
    cluster,
    separateTarget: false,
    // Longer than a busy machine takes to create the Secret.
    configs: { "manifest-deployer": { targetWait: "10m" } },
    async kubeconfigFor(service, hub) {
      proxy = await startApiProxy({ upstream: { url: hub.url, ca: hub.ca }, token: hub.serviceToken(service) });
      return proxy.kubeconfig;
    },
  });
  afterAll(async () => proxy?.stop());
  afterEach(() => proxy?.setPlan(noFaults));
  const started = (): ApiProxy => {
    if (proxy === undefined) throw new Error("the proxy is not started yet");
    return proxy;
  };

  /** The kubeconfig of the Targets with other fields. */
  const kubeconfigWith = (fields: { readonly cluster?: object; readonly user?: object }): string => {
    const config = parse(suite.environment.targetKubeconfig) as {
      readonly clusters: { readonly cluster: object }[];
      readonly users: { readonly user: object }[];
    }; // as the harness made it
    return stringify({
      ...config,
      clusters: config.clusters.map((each) => ({ ...each, cluster: { ...each.cluster, ...fields.cluster } })),
      users: config.users.map((each) => ({ ...each, user: { ...each.user, ...fields.user } })),
    });
  };
  const targetWith = async (scope: ItemScope, name: string, content: object): Promise<void> => {
    const type = "landscaper.gardener.cloud/kubernetes-cluster";
    await scope.createTarget({ metadata: { name }, spec: { type, ...content } });
  };
  const secret = async (scope: ItemScope, name: string, data: Readonly<Record<string, string>>): Promise<void> => {
    const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));
    const metadata = { name, namespace: scope.namespace };
    await suite.environment.client.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      data: encoded,
    });
  };

  it("may have their content inline or in a Secret, in each form", async () => {
    const scope = await suite.open("forms");
    const kubeconfig = suite.environment.targetKubeconfig;
    await secret(scope, "plain", { anything: kubeconfig });
    await secret(scope, "entry", { config: stringify({ kubeconfig }) });
    await secret(scope, "whole", { kubeconfig });
    const contents = {
      text: { config: { kubeconfig } },
      object: { config: { kubeconfig: parse(kubeconfig) as object } },
      bare: { config: parse(kubeconfig) as object },
      "secret-plain": { secretRef: { name: "plain", key: "anything" } },
      "secret-entry": { secretRef: { name: "entry", key: "config" } },
      "secret-whole": { secretRef: { name: "whole" } },
    };
    const ends = await Promise.all(
      Object.entries(contents).map(async ([name, content]) => {
        await targetWith(scope, name, content);
        const done = await scope.deploy(name, [scope.configMap(name)], { target: name });
        return [name, done.status?.phase, done.status?.lastError?.message];
      }),
    );
    expect(ends).toEqual(Object.keys(contents).map((name) => [name, "Succeeded", undefined]));
  });

  it("with files, plugins or another user's name are refused at once", async () => {
    const scope = await suite.open("refused");
    const kubeconfigs = {
      "certificate-authority": { cluster: { "certificate-authority": "/etc/passwd" } },
      "client-certificate": { user: { "client-certificate": "/etc/passwd" } },
      "client-key": { user: { "client-key": "/etc/passwd" } },
      tokenfile: { user: { tokenFile: "/etc/passwd" } },
      exec: { user: { exec: { command: "id", apiVersion: "client.authentication.k8s.io/v1" } } },
      "auth-provider": { user: { "auth-provider": { name: "gcp" } } },
      as: { user: { as: "admin" } },
    };
    const ends = await Promise.all(
      Object.entries(kubeconfigs).map(async ([name, fields]) => {
        await targetWith(scope, name, { config: { kubeconfig: kubeconfigWith(fields) } });
        const { status } = await scope.deploy(name, [], { target: name });
        const message = status?.lastError?.message ?? "";
        const isNamed =
          message.startsWith(`Target ${scope.namespace}/${name}: kubeconfig: `) && /not allowed/.test(message);
        return [name, status?.phase, status?.lastError?.codes, isNamed];
      }),
    );
    expect(ends).toEqual(Object.keys(kubeconfigs).map((name) => [name, "Failed", ["ERR_CONFIGURATION_PROBLEM"], true]));
  });

  it("that do not exist fail the job by their name (6)", async () => {
    const scope = await suite.open("absent");
    const failed = await scope.deploy("item", [], { target: "absent" });
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "NoTargetFound", message: expect.stringContaining(`${scope.namespace}/absent`) },
    });
  });

  it("whose Secret is not there are named in lastError, and used as soon as it is (5)", async () => {
    const scope = await suite.open("no-secret");
    await targetWith(scope, "later", { secretRef: { name: "later", key: "kubeconfig" } });
    await scope.start("item", [scope.configMap("a", { x: "1" })], { target: "later" });
    expect(await scope.waitForError("item")).toMatchObject({
      reason: "TargetSecretMissing",
      message: `Target ${scope.namespace}/later: its Secret ${scope.namespace}/later does not exist; create the Secret, or correct spec.secretRef of the Target`,
    });
    expect((await scope.get("item")).status).toMatchObject({
      phase: "Progressing",
      lastReconcileTime: expect.any(String),
    });
    await secret(scope, "later", { kubeconfig: suite.environment.targetKubeconfig });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("with a wrong token end the job at once (54)", async () => {
    const scope = await suite.open("wrong-token");
    await targetWith(scope, "wrong", { config: { kubeconfig: kubeconfigWith({ user: { token: "wrong-sentinel" } }) } });
    const { status } = await scope.deploy("item", [scope.configMap("a")], { target: "wrong" });
    expect(status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "TargetUnauthorized", codes: ["ERR_UNAUTHORIZED"] },
    });
    expect(JSON.stringify(status)).not.toContain("wrong-sentinel");
  });

  describe.each(["self", "oidc"] as const)("by tokens of a ServiceAccount: %s (A24, 57)", (form) => {
    async function open(): Promise<ItemScope> {
      const scope = await suite.open(form);
      await createAccount(scope);
      const { hub } = suite.environment;
      const serviceAccount = { name: scope.namespace };
      const content =
        form === "self"
          ? { selfConfig: { serviceAccount, expirationSeconds: 600 } }
          : {
              oidcConfig: { server: hub.url, caData: base64(hub.ca ?? ""), serviceAccount, expirationSeconds: 600 },
            };
      await targetWith(scope, "minted", { config: content });
      return scope;
    }
    /** With the rights to deploy; of the same name as the namespace, to tell its TokenRequests from others. */
    async function createAccount({ namespace }: ItemScope): Promise<void> {
      const { client } = suite.environment;
      const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: namespace, namespace } };
      await client.create(kubeResources.serviceAccount, account);
      const group = "rbac.authorization.k8s.io";
      const type = {
        group,
        version: "v1",
        kind: "ClusterRoleBinding",
        plural: "clusterrolebindings",
        namespaced: false,
      };
      await ensureObject(client, type, {
        apiVersion: `${group}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name: namespace },
        roleRef: { apiGroup: group, kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "ServiceAccount", name: namespace, namespace }],
      });
    }
    const countTokens = (scope: ItemScope): (() => number) => {
      let count = 0;
      started().setPlan((request) => {
        if (isTokenRequest(request, scope.namespace)) count += 1;
        return { type: "pass" };
      });
      return () => count;
    };

    it("deploys and deletes, with one token for all items and jobs (B28)", async () => {
      const scope = await open();
      const tokens = countTokens(scope);
      const names = ["a", "b", "c", "d"];
      await Promise.all(
        names.map(async (name) => {
          const done = await scope.deploy(name, [scope.configMap(name)], { target: "minted" });
          expect([done.status?.phase, done.status?.lastError]).toEqual(["Succeeded", undefined]);
        }),
      );
      await Promise.all(names.map(async (name) => scope.undeploy(name)));
      expect(tokens()).toBe(1);
    });

    it("goes on with another token when the server refuses the one it has (B28)", async () => {
      const scope = await open();
      const tokens = countTokens(scope);
      const resourceSelector = [referenceOf(scope.configMap("later"))];
      const requirements = [{ jsonPath: ".data.x", operator: "exists" }];
      const config = { readinessChecks: { custom: [{ name: "later", resourceSelector, requirements }] } };
      await scope.start("item", [scope.configMap("a")], { target: "minted", config });
      await scope.waitForMessage("item", `ConfigMap ${scope.place}/later`);
      // The account is another one now: the token of the first is worth nothing.
      const { client } = suite.environment;
      await client.delete(kubeResources.serviceAccount, { namespace: scope.namespace, name: scope.namespace });
      await createAccount(scope);
      await waitFor(() => tokens() === 2);
      await client.create(kubeResources.configMap, scope.configMap("later", { x: "1" }));
      const done = await scope.waitForEnd("item");
      expect([done.status?.phase, done.status?.lastError, done.status?.lastErrors ?? []]).toEqual([
        "Succeeded",
        undefined,
        [],
      ]);
    });

    it("names the account that is not there, and goes on when it is", async () => {
      const scope = await open();
      const { client } = suite.environment;
      const key = { namespace: scope.namespace, name: scope.namespace };
      await client.delete(kubeResources.serviceAccount, key);
      await scope.start("item", [scope.configMap("a", { x: "1" })], { target: "minted" });
      expect(await scope.waitForError("item")).toMatchObject({
        reason: "TokenRequestFailed",
        message: `no token for ServiceAccount ${key.namespace}/${key.name}: serviceaccounts "${key.name}" not found`,
      });
      await createAccount(scope);
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
      await scope.undeploy("item");
      expect(await scope.data("a")).toBe(undefined);
      expect(await client.find(resources.target, { namespace: scope.namespace, name: "minted" })).toBeDefined();
    });
  });
});
