// docs/guide/fenced-clusters.md with a real node behind a real packet filter: set-up, deployers, work, outages of the link, removal (A25).
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  agentNames,
  kubeResources,
  labels,
  resources,
  type Environment as ManagedEnvironment,
  type Installation,
  type KubeObject,
  type Pod,
  type ResourceType,
} from "@landscaper/api";
import { connectionFromKubeconfig, ApiError, createClient } from "@landscaper/controller-runtime";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { describeUnless, openNamespace, programAbsence, startForwardProxy, waitFor } from "@landscaper/testkit";
import { parse } from "yaml";
import { chartClusterAbsence } from "../charts-node/chart-cluster.ts";
import { takeSnapshot } from "../cluster/etcd-snapshot.ts";
import { toolsImage } from "../cluster/node-image.ts";
import { dial } from "../fenced/dial.ts";
import { deployers, startFleet, systemNamespace, waitMs, type Fleet } from "../fenced/fleet.ts";
import { gateCheck, openGate } from "../src/items/gate.ts";
import {
  clusterImport,
  dataParameter,
  deployItems,
  helmItem,
  inlineInstallation,
  itemsInstallation,
  manifestItem,
} from "../src/installations/inline-installation.ts";
import { createRecognizer } from "../src/kits/sentinel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const suiteMs = 1_800_000;
const testMs = 300_000;
const name = "edge";
/** Of the agent on the landscaper cluster. */
const bootstrapAccount = { namespace: systemNamespace, name: `landscaper-agent-${name}` };
const environmentAnnotation = "landscaper.gardener.cloud/environment";

const missing = chartClusterAbsence() ?? programAbsence("docker-registry") ?? programAbsence("skopeo");

describeUnless(missing, describe)("a fenced cluster", () => {
  let fleet: Fleet;
  let scope: TestNamespace;
  beforeAll(async () => {
    fleet = await startFleet();
    scope = await fleet.environment.namespace("users");
    const key = { name: scope.targetNamespace };
    await fleet.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: key });
    const target = scope.target("target");
    const marked = { ...target.metadata, annotations: { [environmentAnnotation]: name } };
    await scope.apply({ ...target, metadata: marked });
  }, suiteMs);
  afterAll(async () => fleet?.stop());

  const namespaceWords = (): string[] => ["--namespaces", `${systemNamespace},${scope.name}`];
  const bootstrap = async (): Promise<string> =>
    fleet.file("values.yaml", await fleet.landscaper("agent", "bootstrap", "--environment", name, ...namespaceWords()));

  const until: Fleet["until"] = async (type, key, isMet) => await fleet.until(type, key, isMet);
  const reachable = (environment: ManagedEnvironment | undefined): string | undefined =>
    environment?.status?.conditions?.find(({ type }) => type === "Reachable")?.status;
  const mapOf = async (map: string): Promise<Readonly<Record<string, string>> | undefined> =>
    (await fleet.client.find(kubeResources.configMap, { namespace: scope.targetNamespace, name: map }))?.data;
  const manifestOf = (map: string, data: object): object => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: map, namespace: scope.targetNamespace },
    data,
  });

  it(
    "cannot be dialled from outside, and dials the landscaper cluster and the registry alone",
    async () => {
      const { node, environment, registry, client, formerUrl } = fleet;
      const kubeletPort = 10_250;
      // Both listen on this address, and the first was dialled there before the fence.
      expect(await dial(Number(formerUrl.port), formerUrl.hostname)).toBe("ECONNREFUSED");
      expect(await dial(kubeletPort, formerUrl.hostname)).toBe("ECONNREFUSED");

      const other = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => other.listen(0, node.hostAddress, resolve));
      try {
        const { port } = other.address() as AddressInfo; // it listens on TCP
        expect(await dial(port, node.hostAddress)).toBe("open");
        const places = [environment.hub.url, `http://${registry.host}`, `http://${node.hostAddress}:${port}`];
        const dials = [...places.map((place) => new URL(place)), { hostname: "203.0.113.1", port: "443" }].map(
          ({ hostname, port: at }) =>
            `busybox nc -w 3 ${hostname} ${at} </dev/null >/dev/null 2>&1 && echo open || echo refused`,
        );
        const script = dials.join("\n");
        const expected = "open\nopen\nrefused\nrefused\n";
        expect(node.run(["busybox", "sh", "-c", script])).toBe(expected);

        const key = { namespace: "default", name: "guest" };
        const containers = [{ name: "main", image: toolsImage, command: ["sh", "-c", script] }];
        const pod: KubeObject & { spec: object } = {
          apiVersion: "v1",
          kind: "Pod",
          metadata: key,
          spec: { restartPolicy: "Never", containers },
        };
        await client.create(kubeResources.pod, pod as Pod);
        const waits = { timeoutMs: 60_000, describe: async () => "the pod has not ended" };
        const isOver = (found: Pod | undefined): boolean => found?.status?.phase === "Succeeded";
        await openNamespace(client, key.namespace, waits).until(kubeResources.pod, key.name, isOver);
        const path = "/api/v1/namespaces/default/pods/guest/log";
        expect(await client.request({ method: "GET", path, accept: "*/*", answer: "text" })).toBe(expected);
      } finally {
        other.close();
      }
    },
    testMs,
  );

  it(
    "gets an agent by the chart and the values of the command, which creates its Environment",
    async () => {
      const values = await bootstrap();
      await fleet.helm.run("install", name, fleet.agentChart, "--create-namespace", "-f", values);
      const found = await until(resources.environment, { name }, (object) => reachable(object) === "True");
      expect(found?.status).toMatchObject({ clusterVersion: "v1.34.1", succeeded: "0/0" });
    },
    testMs,
  );

  it(
    "gets all registered deployers as pods inside, with their images from the registry (A25)",
    async () => {
      const { client } = fleet.environment;
      const registrations = Object.keys(deployers) as (keyof typeof deployers)[];
      for (const each of registrations) {
        await client.create(resources.deployerRegistration, fleet.registrationOf(each));
      }
      await until(resources.environment, { name }, (object) => object?.status?.succeeded === "3/3");
      const pods = await fleet.pods();
      const releases = pods.map(({ metadata }) => metadata.labels?.["app.kubernetes.io/instance"] ?? "").toSorted();
      expect(releases).toEqual([name, ...registrations.map((each) => `${each}-${name}`)].toSorted());
      const images = pods.flatMap(({ status }) => status?.containerStatuses ?? []).map(({ image }) => image);
      expect(images.filter((image) => image?.startsWith(`${fleet.registry.host}/landscaper/`) !== true)).toEqual([]);
    },
    testMs,
  );

  it(
    "gets what users install, and its exports come back",
    async () => {
      const { targetNamespace: namespace } = scope;
      const chart = await rawChart({
        "templates/map.yaml":
          "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: of-the-chart }\ndata: { text: released }\n",
      });
      const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "of-the-manifest", namespace };
      const config = { exports: { exports: [{ key: "text", jsonPath: ".data.text", fromResource }] } };
      const program = {
        name: "program",
        type: "landscaper.gardener.cloud/container",
        target: { import: "cluster" },
        config: {
          apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1",
          kind: "ProviderConfiguration",
          image: toolsImage,
          command: ["sh", "-euc", `[ "$OPERATION" = DELETE ] || echo 'sum: 42' > "$EXPORTS_PATH"`],
        },
      };
      const blueprint = {
        imports: [clusterImport],
        exports: [dataParameter("text", { type: "string" }), dataParameter("sum", { type: "integer" })],
        deployExecutions: deployItems(
          manifestItem({ name: "manifest", manifests: [manifestOf("of-the-manifest", { text: "applied" })], config }),
          { ...helmItem({ namespace, config: { chart } }), name: "release" },
          program,
        ),
        exportExecutions: [
          {
            name: "default",
            type: "GoTemplate",
            template:
              'exports:\n  text: {{ index .values.deployitems "manifest" "text" }}\n  sum: {{ index .values.deployitems "program" "sum" }}\n',
          },
        ],
      };
      const data = ["text", "sum"].map((each) => ({ name: each, dataRef: each }));
      const targets = [{ name: "cluster", target: "target" }];
      await scope.apply(inlineInstallation({ name: "app", blueprint, imports: { targets }, exports: { data } }));
      await scope.waitForPhase("app", "Succeeded");
      expect([await scope.exported("text"), await scope.exported("sum")]).toEqual(["applied", 42]);
      expect([await mapOf("of-the-manifest"), await mapOf("of-the-chart")]).toEqual([
        { text: "applied" },
        { text: "released" },
      ]);
      const identities = [...(await scope.deployItems("app")).values()].map(
        ({ status }) => status?.deployer?.identity?.split("/")[0] ?? "",
      );
      expect(identities.toSorted()).toEqual(Object.keys(deployers).map((each) => `${each}-${name}`));
    },
    testMs,
  );

  it(
    "has its own credentials nowhere in the landscaper cluster, nor in logs",
    async () => {
      const key = { namespace: systemNamespace, name: `${name}-target-access` };
      const secret = await fleet.client.get(kubeResources.secret, key);
      const kubeconfig = Buffer.from(secret.data?.["kubeconfig"] ?? "", "base64").toString();
      const findIn = recognizerOf(connectionFromKubeconfig(kubeconfig).token);
      const findUsers = recognizerOf(connectionFromKubeconfig(fleet.environment.targetKubeconfig).token);
      const { values } = await takeSnapshot(fleet.environment.hub.etcdUrl ?? "");
      const texts = [...values].map(([at, { value }]): readonly [string, string] => [
        Buffer.from(at, "base64").toString(),
        Buffer.from(value, "base64").toString("latin1"),
      ]);
      const keysWith = (find: (text: string) => string | undefined): string[] =>
        texts.filter(([, text]) => find(text) !== undefined).map(([at]) => at);
      // What users put into Targets is found: nothing would be missed.
      expect(keysWith(findUsers)).toContain(`/registry/landscaper.gardener.cloud/targets/${scope.name}/target`);
      expect(keysWith(findIn)).toEqual([]);
      const logs = [
        await fleet.describeLogs(10_000),
        readFileSync(fleet.environment.service("landscaper-core").logFile, "utf8"),
      ];
      expect(logs.map(findIn)).toEqual([undefined, undefined]);
      expect(logs[0]).toContain("manifests-edge");
    },
    testMs,
  );

  /** An item that works until the gate is open. */
  async function startGated(item: string, timeout: string): Promise<void> {
    const config = gateCheck(scope.targetNamespace);
    const manifests = [manifestOf(`${item}-map`, { by: item })];
    await scope.apply(itemsInstallation([manifestItem({ manifests, config, item: { timeout } })], { name: item }));
    await waitFor(async () => (await mapOf(`${item}-map`)) !== undefined, { timeoutMs: waitMs });
  }

  const restarts = async (): Promise<readonly (number | undefined)[]> =>
    (await fleet.pods()).map(({ status }) => status?.containerStatuses?.[0]?.restartCount);
  const jobOf = async (installation: string): Promise<string | undefined> =>
    (await fleet.environment.client.get(resources.installation, { namespace: scope.name, name: installation })).status
      ?.jobID;
  const untilPhase = async (installation: string, phase: string): Promise<Installation | undefined> => {
    const key = { namespace: scope.name, name: installation };
    return await until(resources.installation, key, (object) => object?.status?.phase === phase);
  };

  it(
    "goes on with its jobs, and with the same processes, when the link is cut for seconds",
    async () => {
      await startGated("gated", "10m");
      const [job, before] = [await jobOf("gated"), await restarts()];
      fleet.fence.cut();
      const manifests = [manifestOf("of-brief", { text: "applied" })];
      await scope.apply(itemsInstallation([manifestItem({ manifests })], { name: "brief" }));
      await sleep(3000);
      expect(await mapOf("of-brief")).toBeUndefined();
      fleet.fence.restore();
      await untilPhase("brief", "Succeeded");
      expect([await jobOf("gated"), await restarts()]).toEqual([job, before]);
    },
    testMs,
  );

  it(
    "ends a job by its timeout when the link is cut for longer than that, and takes up the others when it is back",
    async () => {
      const job = await jobOf("gated");
      await startGated("hurried", "20s");
      fleet.fence.cut();
      try {
        await untilPhase("hurried", "Failed");
      } finally {
        fleet.fence.restore();
      }
      const [item] = (await scope.deployItems("hurried")).values();
      expect(item?.status?.lastError?.codes).toEqual(["ERR_TIMEOUT"]);
      await openGate(fleet.client, scope.targetNamespace);
      expect((await untilPhase("gated", "Succeeded"))?.status?.jobIDFinished).toBe(job);
      await scope.trigger("hurried");
      await untilPhase("hurried", "Succeeded");
    },
    testMs,
  );

  it(
    "gets all its credentials anew when those of both sides were revoked, as the guide says",
    async () => {
      const { client } = fleet.environment;
      const inside = { namespace: systemNamespace, name: agentNames(name).account };
      const uid = (await fleet.client.get(kubeResources.serviceAccount, inside)).metadata.uid;
      const oldValues = parse(readFileSync(await bootstrap(), "utf8")) as {
        readonly agent: { readonly landscaperClusterKubeconfig: { readonly kubeconfig: string } };
      };
      const old = createClient({
        connection: connectionFromKubeconfig(oldValues.agent.landscaperClusterKubeconfig.kubeconfig),
      });
      try {
        await old.get(resources.environment, { name });
        await client.delete(kubeResources.serviceAccount, bootstrapAccount);
        await fleet.client.delete(kubeResources.serviceAccount, inside);
        const isRefused = async (): Promise<boolean> =>
          await old.get(resources.environment, { name }).then(
            () => false,
            (error: unknown) => error instanceof ApiError && error.status === 401,
          );
        await waitFor(isRefused);
      } finally {
        await old.close();
      }
      const refusedMs = Date.now();
      const agentPods = async (): Promise<readonly (string | undefined)[]> =>
        (await fleet.pods())
          .filter(({ metadata }) => metadata.labels?.["app.kubernetes.io/instance"] === name)
          .map(({ metadata }) => metadata.name);
      const oldPods = await agentPods();
      const oldHolders = oldPods.map((pod) => `${agentNames(name).identity}/${pod}`);
      const key = { namespace: systemNamespace, name: agentNames(name).lease };
      const holderOf = async (): Promise<string> =>
        (await client.get(kubeResources.lease, key)).spec?.holderIdentity ?? "";
      expect(oldHolders).toContain(await holderOf());
      await fleet.helm.run("upgrade", name, fleet.agentChart, "-f", await bootstrap());
      const isReplaced = async (): Promise<boolean> => {
        const pods = await agentPods();
        return pods.length > 0 && pods.every((pod) => !oldPods.includes(pod));
      };
      // The new pod is ready while it waits for the Lease: otherwise the old one would stay.
      await waitFor(isReplaced, { timeoutMs: waitMs, describe: () => fleet.describeLogs() });
      // During a slow upgrade, the kubelet hands the new credentials to the old pod, which then gives the Lease up by itself.
      if (oldHolders.includes(await holderOf())) await client.delete(kubeResources.lease, key);
      const deletedMs = Date.now();
      await until(
        resources.environment,
        { name },
        (object) => Date.parse(object?.status?.lastHeartbeatTime ?? "") > refusedMs,
      );
      expect(Date.now() - deletedMs).toBeLessThan(60_000);
      const uidOf = async (): Promise<string | undefined> =>
        (await fleet.client.find(kubeResources.serviceAccount, inside))?.metadata.uid;
      await waitFor(async () => ![undefined, uid].includes(await uidOf()), { timeoutMs: waitMs });
    },
    testMs,
  );

  it(
    "is left as it was before the agent by the steps of the guide (A25)",
    async () => {
      const { client } = fleet.environment;
      for (const installation of ["app", "gated", "brief", "hurried"]) {
        await client.delete(resources.installation, { namespace: scope.name, name: installation });
        await until(
          resources.installation,
          { namespace: scope.name, name: installation },
          (object) => object === undefined,
        );
      }
      await client.delete(resources.environment, { name });
      await until(
        resources.environment,
        { name },
        (object) => JSON.stringify(object?.metadata.finalizers) === JSON.stringify([agentFinalizer]),
      );
      const account = { namespace: systemNamespace, name: agentNames(name).account };
      await waitFor(async () => (await fleet.client.find(kubeResources.serviceAccount, account)) === undefined, {
        timeoutMs: waitMs,
      });
      await fleet.helm.run("uninstall", name, "--wait");
      await client.patch(resources.environment, { name }, { type: "merge", body: { metadata: { finalizers: [] } } });
      await until(resources.environment, { name }, (object) => object === undefined);

      await waitFor(async () => (await fleet.pods()).length === 0, { timeoutMs: waitMs });
      const labelSelector = `${labels.deployerEnvironment}=${name}`;
      const clusterWide: readonly ResourceType[] = [kubeResources.clusterRole, kubeResources.clusterRoleBinding];
      const inNamespace: readonly ResourceType[] = [kubeResources.deployment, kubeResources.secret, kubeResources.role];
      const lists = [
        ...clusterWide.map(async (type) => await fleet.client.list(type, { labelSelector })),
        ...inNamespace.map(async (type) => await fleet.client.list(type, { namespace: systemNamespace })),
      ];
      const left = (await Promise.all(lists)).flatMap(({ items }): readonly KubeObject[] => items);
      expect(left.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    },
    testMs,
  );

  it(
    "deploys through a proxy that is its only way out",
    async () => {
      const { client, hub } = fleet.environment;
      const [hubPlace, registryPlace] = [new URL(hub.url).host, fleet.registry.host];
      const routes = { [hubPlace]: hubPlace, [registryPlace]: registryPlace };
      const proxy = await startForwardProxy({ address: fleet.node.hostAddress, routes, login: "fence:open" });
      const proxyUrl = proxy.url.replace("//", "//fence:open@");
      try {
        // Nodes pull images by settings of their own.
        fleet.fence.allow([proxy.port, Number(new URL(`http://${registryPlace}`).port)]);
        for (const registration of ["charts", "programs"]) {
          await client.delete(resources.deployerRegistration, { name: registration });
        }
        const secret = { namespace: systemNamespace, name: "proxy" };
        await fleet.client.create(kubeResources.secret, {
          apiVersion: "v1",
          kind: "Secret",
          metadata: secret,
          stringData: { https: proxyUrl },
        });
        const extraEnv = [
          ...["HTTPS_PROXY", "HTTP_PROXY"].map((variable) => ({
            name: variable,
            valueFrom: { secretKeyRef: { name: "proxy", key: "https", optional: true } },
          })),
          { name: "NO_PROXY", value: `$(KUBERNETES_SERVICE_HOST),.svc,.cluster.local,${fleet.formerUrl.hostname}` },
        ];
        const values = { installationTemplate: { importDataMappings: { values: { extraEnv } } } };
        const body = { spec: values };
        await client.patch(resources.deployerRegistration, { name: "manifests" }, { type: "merge", body });
        const words = ["agent", "bootstrap", "--environment", name, ...namespaceWords(), "--proxy-url", proxyUrl];
        const credentials = fleet.file("proxied.yaml", await fleet.landscaper(...words));
        const more = fleet.file("environment.yaml", JSON.stringify({ extraEnv }));
        await fleet.helm.run("install", name, fleet.agentChart, "--create-namespace", "-f", credentials, "-f", more);
        await until(resources.environment, { name }, (object) => object?.status?.succeeded === "1/1");
        const installation = itemsInstallation([manifestItem({ manifests: [manifestOf("of-proxied", { a: "b" })] })], {
          name: "proxied",
        });
        await scope.apply(installation);
        await untilPhase("proxied", "Succeeded");
        expect(await mapOf("of-proxied")).toEqual({ a: "b" });
        const asked = new Set(proxy.requests.map((line) => line.split("/v2/")[0]));
        const fetches = ["GET", "HEAD"].map((method) => `${method} http://${registryPlace}`);
        expect(asked).toEqual(new Set([`CONNECT ${hubPlace}`, ...fetches]));
        const { values: stored } = await takeSnapshot(hub.etcdUrl ?? "");
        const leaked = [...stored].filter(([, { value }]) =>
          Buffer.from(value, "base64").toString("latin1").includes("fence:open"),
        );
        expect(leaked.map(([key]) => Buffer.from(key, "base64").toString())).toEqual([]);
      } finally {
        await proxy.stop();
      }
    },
    testMs,
  );
});

/** By the part of a token that no other one has: its signature. */
function recognizerOf(token = ""): (text: string) => string | undefined {
  const [, , signature = ""] = token.split(".");
  if (signature.length < 100) throw new Error("expected the token of a ServiceAccount");
  return createRecognizer(signature);
}
