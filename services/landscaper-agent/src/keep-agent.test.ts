// What the agent keeps on both clusters: on embedded servers, with a clock that is set forward.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentEnvironmentRights,
  annotations,
  buildPendingEnvironment,
  kubeResources,
  labels,
  policyRulesOf,
  resources,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import {
  connectionFromKubeconfig,
  createClient,
  createManager,
  createSystemClock,
  type Client,
  type Clock,
} from "@landscaper/controller-runtime";
import { readKubeconfigToken, readTokenLife, sealingKeyOf } from "@landscaper/deployer";
import {
  armDeath,
  createTestLogger,
  recordRequests,
  startEmbeddedCluster,
  waitFor,
  type EmbeddedCluster,
} from "@landscaper/testkit";
import { addKeeper } from "./add-keeper.ts";
import { readSettings, type AgentSettings } from "./agent-settings.ts";

let offsetMs = 0;
const system = createSystemClock();
/** The system's clock, set forward. */
const clock: Clock = {
  ...system,
  now: () => system.now() + offsetMs,
  elapsed: () => system.elapsed() + offsetMs,
};

let hub: EmbeddedCluster;
let host: EmbeddedCluster;
beforeAll(async () => {
  [hub, host] = await Promise.all([startEmbeddedCluster({ crds: true }), startEmbeddedCluster({ clock })]);
  await host.createNamespace("deployers");
});
afterAll(async () => {
  await Promise.all([hub.stop(), host.stop()]);
});

function settingsOf(name: string): AgentSettings {
  return readSettings(
    { name, namespace: "deployers", landscaperNamespace: "ls-system", namespaces: ["tenant"] },
    { landscaper: hub.connection, host: host.connection },
  );
}

interface Keeper {
  readonly log: ReturnType<typeof createTestLogger>;
  stop(): Promise<void>;
}

let keepers = 0;

/** A process whose requests have a user agent of its own. `own`: its client of the landscaper cluster. */
function startKeeper(settings: AgentSettings, own?: Client): Keeper {
  keepers += 1;
  const userAgent = `keeper-${keepers}`;
  const log = createTestLogger();
  const manager = createManager({ name: userAgent, client: own ?? hub.connect(userAgent), log, clock });
  addKeeper(manager, { settings, host: host.connect(userAgent), hostCluster: () => "uid-1" });
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  return {
    log,
    stop: async () => {
      stopping.abort(new Error("the test ends"));
      await running;
    },
  };
}

const environmentOf = (name: string) => hub.client.find(resources.environment, { name });
const secretOf = (name: string) =>
  host.client.find(kubeResources.secret, { namespace: "deployers", name: `${name}-target-access` });

async function tokenOf(name: string): Promise<string | undefined> {
  const secret = await secretOf(name);
  return readKubeconfigToken(Buffer.from(secret?.data?.["kubeconfig"] ?? "", "base64").toString());
}

const hostTypes: readonly ResourceType[] = [
  kubeResources.serviceAccount,
  kubeResources.clusterRole,
  kubeResources.clusterRoleBinding,
  kubeResources.secret,
];

async function hostObjects(name: string): Promise<readonly KubeObject[]> {
  const labelSelector = `${labels.deployerEnvironment}=${name}`;
  const lists = await Promise.all(hostTypes.map(async (type) => await host.client.list(type, { labelSelector })));
  return lists.flatMap(({ items }) => items);
}

async function setFinalizers(name: string, finalizers: readonly string[]): Promise<void> {
  await hub.client.patch(resources.environment, { name }, { type: "merge", body: { metadata: { finalizers } } });
}

describe("the namespaces of the Environment", () => {
  it("are not more after a change of the configuration, which the log says", async () => {
    const first = startKeeper({ ...settingsOf("limited"), namespaces: ["a", "b"] });
    await waitFor(async () => (await environmentOf("limited"))?.spec.namespaces?.length === 2);
    await first.stop();
    const second = startKeeper({ ...settingsOf("limited"), namespaces: ["b", "c"] });
    await waitFor(async () => (await environmentOf("limited"))?.spec.namespaces?.length === 1);
    await waitFor(() =>
      Promise.resolve(second.log.text.includes("spec.namespaces of the Environment; it does not name: c")),
    );
    expect((await environmentOf("limited"))?.spec.namespaces).toEqual(["b"]);
    await second.stop();
  });
});

describe("an Environment that an administrator creates", () => {
  it("gets its host from an agent that must not create it", async () => {
    const guarded = await startEmbeddedCluster({ crds: true, authorization: "rbac" });
    const metadata = { name: "agent" };
    const apiVersion = "rbac.authorization.k8s.io/v1";
    const rules = [
      ...policyRulesOf(agentEnvironmentRights("awaited")),
      { apiGroups: ["*"], resources: ["targets", "events"], verbs: ["*"] },
    ];
    await guarded.client.create(kubeResources.clusterRole, { apiVersion, kind: "ClusterRole", metadata, rules });
    await guarded.client.create(kubeResources.clusterRoleBinding, {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "agent" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "agent" }],
    });
    const connection = connectionFromKubeconfig(guarded.server.kubeconfigFor({ name: "agent", groups: [] }));
    const client = createClient({ connection, userAgent: "keeper-awaited" });
    const keeper = startKeeper(settingsOf("awaited"), client);
    await waitFor(() =>
      Promise.resolve(
        keeper.log.text.includes("Environment awaited does not exist, and its agent must not create it") &&
          keeper.log.text.includes("run landscaper agent bootstrap --environment awaited --namespaces NAMES"),
      ),
    );
    const awaited = { name: "awaited", namespaces: ["team-a"], server: "https://hub.example" };
    await guarded.client.create(resources.environment, buildPendingEnvironment(awaited));
    const find = () => guarded.client.get(resources.environment, { name: "awaited" });
    await waitFor(async () => (await find()).spec.sealingKey !== undefined);
    const { spec } = await find();
    expect(spec.namespaces).toEqual(["team-a"]);
    expect(spec.hostTarget).toMatchObject({
      annotations: { [annotations.environment]: "awaited" },
      config: { kubeconfig: { secretRef: { name: "awaited-target-access" } } },
    });
    await keeper.stop();
    await guarded.stop();
  });
});

describe("the selectors of the Environment", () => {
  it("keep their value, with a warning, if the configuration selects other Targets", async () => {
    const first = startKeeper(settingsOf("selecting"));
    await waitFor(async () => (await environmentOf("selecting")) !== undefined);
    await first.stop();
    const before = (await environmentOf("selecting"))?.spec.targetSelectors;
    const second = startKeeper({ ...settingsOf("selecting"), targetSelectors: [] });
    await waitFor(() =>
      Promise.resolve(second.log.text.includes("spec.targetSelectors of the Environment is unchanged")),
    );
    expect((await environmentOf("selecting"))?.spec.targetSelectors).toEqual(before);
    await second.stop();
  });
});

describe("the token of the host", () => {
  it("is renewed when half of its life is over, long before it ends", async () => {
    const keeper = startKeeper(settingsOf("renewed"));
    const first = await waitFor(async () => {
      expect(await environmentOf("renewed")).toBeDefined();
      return await tokenOf("renewed");
    });
    const { issuedAtMs = 0, expiresAtMs = 0 } = readTokenLife(first) ?? {};
    expect(expiresAtMs - issuedAtMs).toBe(3_600_000);
    // Something else wakes the keeper before.
    offsetMs += 1_700_000;
    await setFinalizers("renewed", ["finalizer.agent.landscaper.gardener.cloud", "test/one"]);
    const body = { subjects: [] };
    await host.client.patch(
      kubeResources.clusterRoleBinding,
      { name: "landscaper:agent:deployer:renewed" },
      { type: "merge", body },
    );
    await setFinalizers("renewed", ["finalizer.agent.landscaper.gardener.cloud", "test/two"]);
    await waitFor(async () =>
      (await hostObjects("renewed")).some((object) => JSON.stringify(object).includes('"subjects":[{')),
    );
    expect(await tokenOf("renewed")).toBe(first);
    offsetMs += 200_000;
    await setFinalizers("renewed", ["finalizer.agent.landscaper.gardener.cloud", "test/three"]);
    await waitFor(async () => ![undefined, first].includes(await tokenOf("renewed")));
    expect(readTokenLife(await tokenOf("renewed"))?.issuedAtMs).toBeGreaterThanOrEqual(issuedAtMs + 1_800_000);
    await keeper.stop();
  });

  it("is another one when somebody has made the account anew", async () => {
    const keeper = startKeeper(settingsOf("account"));
    const first = await waitFor(async () => {
      expect(await environmentOf("account")).toBeDefined();
      return await tokenOf("account");
    });
    await host.client.delete(kubeResources.serviceAccount, { namespace: "deployers", name: "deployer-account" });
    // Tokens are at least a minute apart.
    offsetMs += 60_000;
    await setFinalizers("account", ["finalizer.agent.landscaper.gardener.cloud", "test/one"]);
    await waitFor(async () => ![undefined, first].includes(await tokenOf("account")));
    await keeper.stop();
  });
});

describe("what stands in the way", () => {
  it("is reported, and left alone: the agent goes on when it is gone", async () => {
    const metadata = { namespace: "deployers", name: "deployer-taken" };
    await host.client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    const keeper = startKeeper(settingsOf("taken"));
    const message =
      "ServiceAccount deployer-taken in namespace deployers of the host exists already and was not made by the agent of Environment taken: it is left alone (delete it, or give the agent another name)";
    await waitFor(() => JSON.stringify(keeper.log.lines).includes(message));
    expect(await environmentOf("taken")).toBeUndefined();
    await host.client.delete(kubeResources.serviceAccount, metadata);
    await waitFor(async () => (await environmentOf("taken")) !== undefined);
    await keeper.stop();
  });
});

describe("a landscaper cluster of an earlier release", () => {
  it("that drops a field of the Environment is reported: the agent does not write it again and again", async () => {
    const type = kubeResources.customResourceDefinition;
    const crd = await hub.client.get(type, { name: "environments.landscaper.gardener.cloud" });
    const fields = crd.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]?.properties ?? {};
    const { sealingKey, ...old } = fields;
    const setFields = async (properties: typeof fields): Promise<void> => {
      const live = structuredClone(await hub.client.get(type, { name: crd.metadata.name ?? "" }));
      const spec = live.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"];
      if (spec !== undefined) spec.properties = properties;
      await hub.client.update(type, live);
    };
    await setFields(old);
    const record = recordRequests(
      hub.server,
      ({ userAgent, verb }) => userAgent.startsWith("keeper-") && verb === "update",
    );
    const keeper = startKeeper(settingsOf("older"));
    const message =
      "the landscaper cluster does not keep all fields of Environment older: its CustomResourceDefinition is of another release (upgrade landscaper-core before its agents)";
    await waitFor(() => JSON.stringify(keeper.log.lines).includes(message));
    expect(record.lines.length).toBeLessThan(5);
    record.stop();
    await setFields({ ...old, ...(sealingKey && { sealingKey }) });
    await waitFor(async () => (await environmentOf("older"))?.spec.sealingKey !== undefined);
    await keeper.stop();
  });
});

describe("the key for which tokens are sealed", () => {
  it("stays when the token of the host is renewed, and is another one when the Secret was deleted", async () => {
    const keyOf = async () => (await environmentOf("sealed"))?.spec.sealingKey;
    const keeper = startKeeper(settingsOf("sealed"));
    const key = await waitFor(keyOf);
    const token = await tokenOf("sealed");
    offsetMs += 1_900_000;
    await setFinalizers("sealed", ["finalizer.agent.landscaper.gardener.cloud", "test/one"]);
    await waitFor(async () => ![undefined, token].includes(await tokenOf("sealed")));
    // Written with the token; the Environment follows.
    const privateKey = Buffer.from((await secretOf("sealed"))?.data?.["sealing-key"] ?? "", "base64").toString();
    expect(sealingKeyOf(privateKey)).toBe(key);
    await host.client.delete(kubeResources.secret, { namespace: "deployers", name: "sealed-target-access" });
    await setFinalizers("sealed", ["finalizer.agent.landscaper.gardener.cloud", "test/two"]);
    await waitFor(async () => ![undefined, key].includes(await keyOf()));
    await keeper.stop();
  });
});

describe("the role of the account", () => {
  it("is made without rules, which an agent may only give to a role that is there", async () => {
    const armed = armDeath([hub.server, host.server], {
      death: { write: 1, mode: "drop-answer" },
      userAgent: "keeper-",
    });
    const keeper = startKeeper(settingsOf("steps"));
    await waitFor(() => armed.hasDied);
    const role = { name: "landscaper:agent:deployer:steps" };
    const made = await waitFor(() => host.client.find(kubeResources.clusterRole, role));
    await keeper.stop();
    armed.disarm();
    expect([armed.writes.slice(0, 2), made.rules ?? []]).toEqual([
      ["create serviceaccounts ", "create clusterroles "],
      [],
    ]);
  });
});
