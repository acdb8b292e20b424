// `landscaper agent bootstrap` on an embedded server with RBAC: what it makes, what it prints, and what the account may do.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentDeployerRights,
  agentEnvironmentRights,
  kubeResources,
  leaseRights,
  parseAgentConfiguration,
  resources,
} from "@landscaper/api";
import {
  connectionFromKubeconfig,
  createClient,
  demandRights,
  isForbidden,
  type Client,
} from "@landscaper/controller-runtime";
import { fromYaml } from "@landscaper/goyaml";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { environment } from "../../test/fleet.ts";
import { runProgram } from "../../test/program.ts";

let cluster: EmbeddedCluster;
let folder: string;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true, authorization: "rbac" });
  await cluster.createNamespace("ls-system");
  folder = mkdtempSync(join(tmpdir(), "landscaper-bootstrap-"));
  writeFileSync(join(folder, "kubeconfig"), cluster.server.kubeconfig);
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

const bootstrap = (...words: readonly string[]) =>
  runProgram(["agent", "bootstrap", "--kubeconfig", join(folder, "kubeconfig"), ...words]);

interface Values {
  readonly agent: {
    readonly name: string;
    readonly landscaperNamespace: string;
    readonly leaseNamespace: string;
    readonly namespaces?: readonly string[];
    readonly landscaperClusterKubeconfig: { readonly kubeconfig: string };
  };
}

const readValues = (text: string): Values => fromYaml(text) as Values; // what the command has printed

async function withClient(kubeconfig: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = createClient({ connection: connectionFromKubeconfig(kubeconfig) });
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

const { signal } = new AbortController();

describe("landscaper agent bootstrap", () => {
  it("prints the values of the chart, with an account that may do what its agent does", async () => {
    const { stdout, stderr, exitCode } = await bootstrap("--environment", "edge", "--namespaces", "team-a,team-b");
    expect([stderr, exitCode]).toEqual(["", 0]);
    const [comment = ""] = stdout.split("\n");
    expect(comment).toMatch(
      /^# Values of the chart landscaper-agent for Environment edge\. Secret: the token in it is valid until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.$/,
    );
    const { name, landscaperNamespace, landscaperClusterKubeconfig } = readValues(stdout).agent;
    expect(parseAgentConfiguration({ name, landscaperNamespace }, "values")).toMatchObject({
      name: "edge",
      landscaperNamespace: "ls-system",
    });
    await withClient(landscaperClusterKubeconfig.kubeconfig, async (client) => {
      const demand = { client, cluster: "the cluster" };
      const demands = [
        { ...demand, rights: agentEnvironmentRights("edge") },
        { ...demand, rights: agentDeployerRights, namespace: "ls-system" },
        { ...demand, rights: leaseRights, namespace: "ls-system" },
      ];
      await demandRights(demands, signal);
      const { spec } = await client.get(resources.environment, { name: "edge" });
      expect([spec.namespaces, spec.hostTarget.config]).toEqual([["team-a", "team-b"], undefined]);
      // The agent of the Environment may not make another one.
      await expect(client.create(resources.environment, environment("another"))).rejects.toThrow("forbidden");
    });
  });

  it("creates the Environment for its agent, and keeps what that agent has written", async () => {
    await bootstrap("--environment", "awaited", "--namespaces", "team-b", "--server", "https://reach.example:443");
    const key = { name: "awaited" };
    const { spec } = await cluster.client.get(resources.environment, key);
    expect(spec).toEqual({
      hostTarget: {
        type: "landscaper.gardener.cloud/kubernetes-cluster",
        annotations: { "landscaper.gardener.cloud/environment": "awaited" },
      },
      namespace: "ls-system",
      landscaperClusterConfig: { host: "https://reach.example:443", apiPath: "" },
      targetSelectors: [
        { targets: [{ name: "awaited", namespace: "" }] },
        { annotations: [{ key: "landscaper.gardener.cloud/environment", operator: "=", values: ["awaited"] }] },
      ],
      namespaces: ["team-b"],
    });
    const written = { namespace: "host", suspend: true };
    await cluster.client.patch(resources.environment, key, { type: "merge", body: { spec: written } });
    const { stdout } = await bootstrap("--environment", "awaited", "--namespaces", "team-b,team-a");
    expect(readValues(stdout).agent.namespaces).toBeUndefined();
    const namespaces = ["team-b", "team-a"];
    expect((await cluster.client.get(resources.environment, key)).spec).toEqual({ ...spec, ...written, namespaces });
  });

  it("gives the agent a proxy, and warns of a password that its deployers do not get", async () => {
    const proxied = async (url: string) => {
      const { stdout, stderr, exitCode } = await bootstrap(
        "--environment",
        "proxied",
        "--namespaces",
        "team-a",
        "--proxy-url",
        url,
      );
      const { kubeconfig } = readValues(stdout).agent.landscaperClusterKubeconfig;
      return [connectionFromKubeconfig(kubeconfig).proxyUrl, stderr, exitCode];
    };
    const url = "http://proxy.example:3128";
    expect(await proxied(url)).toEqual([url, "", 0]);
    const withLogin = "http://me:correct-horse@proxy.example:3128";
    const [found, stderr, exitCode] = await proxied(withLogin);
    expect([found, exitCode]).toEqual([withLogin, 0]);
    expect(stderr).toMatch(/^warning: --proxy-url has a user and a password\./);
    expect(stderr).not.toContain("correct-horse");
  });

  it.each(["proxy.example:3128", "socks5://proxy.example:1080", "correct-horse"])(
    "refuses the proxy %j, without its text in the message",
    async (url) => {
      const { stdout, stderr, exitCode } = await bootstrap(
        "--environment",
        "refused",
        "--namespaces",
        "a",
        "--proxy-url",
        url,
      );
      expect([stdout, exitCode]).toEqual(["", 2]);
      expect(stderr).toContain(
        'error: --proxy-url: expected the URL of an HTTP proxy, such as http://proxy.example:3128, or "none"',
      );
    },
  );

  it("keeps the proxy of an existing Environment when it is repeated, and says so", async () => {
    await bootstrap("--environment", "kept", "--namespaces", "team-a");
    const proxyURL = "http://proxy.example:3128";
    const body = { spec: { landscaperClusterConfig: { proxyURL } } };
    await cluster.client.patch(resources.environment, { name: "kept" }, { type: "merge", body });
    const proxyOf = async (...words: readonly string[]) => {
      const { stdout, stderr } = await bootstrap("--environment", "kept", ...words);
      return [
        connectionFromKubeconfig(readValues(stdout).agent.landscaperClusterKubeconfig.kubeconfig).proxyUrl,
        stderr,
      ];
    };
    const note = `note: keeps the proxy of the Environment, ${proxyURL}; --proxy-url none leaves it out\n`;
    expect(await proxyOf()).toEqual([proxyURL, note]);
    expect(await proxyOf("--proxy-url", "none")).toEqual([undefined, ""]);
  });

  it("does not remove namespaces of an existing Environment", async () => {
    await bootstrap("--environment", "keeping", "--namespaces", "team-a,team-b");
    const namespacesOf = async () =>
      (await cluster.client.get(resources.environment, { name: "keeping" })).spec.namespaces;
    const refusal = (names: string) => ({
      stdout: "",
      stderr: `error: --namespaces: Environment keeping has further namespaces: ${names}. Name them, too, or omit the option; to remove them, use kubectl patch\n`,
      exitCode: 1,
    });
    expect(await bootstrap("--environment", "keeping", "--namespaces", "team-a,team-c")).toEqual(refusal("team-b"));
    expect(await namespacesOf()).toEqual(["team-a", "team-b"]);
    expect((await bootstrap("--environment", "keeping", "--namespaces", "*")).exitCode).toBe(0);
    expect(await namespacesOf()).toEqual(["*"]);
    expect(await bootstrap("--environment", "keeping", "--namespaces", "team-a")).toEqual(refusal("*"));
  });

  it("refuses an Environment that is being deleted", async () => {
    const key = { name: "going" };
    const object = environment("going");
    const metadata = { ...object.metadata, finalizers: ["example.org/test"] };
    await cluster.client.create(resources.environment, { ...object, metadata });
    await cluster.client.delete(resources.environment, key);
    expect(await bootstrap("--environment", "going", "--namespaces", "team-a")).toEqual({
      stdout: "",
      stderr: "error: Environment going is being deleted: wait until it no longer exists, then repeat the command\n",
      exitCode: 1,
    });
    await cluster.client.patch(resources.environment, key, { type: "merge", body: { metadata: { finalizers: [] } } });
  });

  it("gives no rights to other Environments, and none beyond those of the agent", async () => {
    const { stdout } = await bootstrap("--environment", "edge", "--namespaces", "team-a,team-b");
    await withClient(readValues(stdout).agent.landscaperClusterKubeconfig.kubeconfig, async (client) => {
      const refused = [
        client.find(resources.environment, { name: "other" }),
        client.list(resources.environment),
        client.list(kubeResources.secret),
        client.list(resources.target),
        client.list(resources.target, { namespace: "default" }),
        client.find(kubeResources.secret, { namespace: "default", name: "a" }),
        // The core lists those that the agent may read.
        client.find(kubeResources.secret, { namespace: "ls-system", name: "a" }),
        client.find(resources.deployerRegistration, { name: "a" }),
        client.find(kubeResources.clusterRole, { name: "landscaper-agent-edge" }),
      ];
      const answers = await Promise.allSettled(refused);
      expect(answers.map((answer) => answer.status === "rejected" && isForbidden(answer.reason))).toEqual(
        refused.map(() => true),
      );
    });
  });

  it("puts rights right and prints another token when it is called again", async () => {
    const key = { name: "landscaper-agent-edge" };
    const { rules } = await cluster.client.get(kubeResources.clusterRole, key);
    await cluster.client.patch(kubeResources.clusterRole, key, { type: "merge", body: { rules: [] } });
    const words = ["--environment", "edge", "--server", "https://reach.example:443", "--token-life", "20m"];
    const { stdout, exitCode } = await bootstrap(...words);
    expect(exitCode).toBe(0);
    expect((await cluster.client.get(kubeResources.clusterRole, key)).rules).toEqual(rules);
    const { agent } = readValues(stdout);
    expect(agent.namespaces).toBeUndefined();
    const { server, token = "" } = connectionFromKubeconfig(agent.landscaperClusterKubeconfig.kubeconfig);
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const { iat, exp } = claims as { readonly iat: number; readonly exp: number }; // of the token that the server has made
    expect([server, exp - iat]).toEqual(["https://reach.example:443", 1200]);
  });

  it("removes the right of an earlier release to read all Secrets", async () => {
    const key = { namespace: "ls-system", name: "landscaper-agent-edge" };
    const { rules = [] } = await cluster.client.get(kubeResources.role, key);
    const earlier = rules.map((rule) =>
      rule.resources?.includes("secrets") === true ? { ...rule, verbs: ["get", ...rule.verbs] } : rule,
    );
    expect(earlier).not.toEqual(rules);
    await cluster.client.patch(kubeResources.role, key, { type: "merge", body: { rules: earlier } });
    expect((await bootstrap("--environment", "edge", "--namespaces", "team-a,team-b")).exitCode).toBe(0);
    expect((await cluster.client.get(kubeResources.role, key)).rules).toEqual(rules);
  });

  it("gives the rights to Leases where these are", async () => {
    await cluster.createNamespace("leases");
    const { stdout } = await bootstrap("--environment", "apart", "--lease-namespace", "leases", "--namespaces", "*");
    const { agent } = readValues(stdout);
    expect([agent.landscaperNamespace, agent.leaseNamespace]).toEqual(["ls-system", "leases"]);
    expect((await cluster.client.get(resources.environment, { name: "apart" })).spec.namespaces).toEqual(["*"]);
    await withClient(agent.landscaperClusterKubeconfig.kubeconfig, async (client) => {
      const leasesOf = (namespace: string) => client.list(kubeResources.lease, { namespace });
      expect((await leasesOf("leases")).items).toEqual([]);
      expect((await client.list(resources.deployItem, { namespace: "ls-system" })).items).toEqual([]);
      await expect(client.list(resources.deployItem, { namespace: "leases" })).rejects.toThrow("forbidden");
      await expect(leasesOf("ls-system")).rejects.toThrow("forbidden");
    });
  });

  it("leaves what was made for something else", async () => {
    const metadata = { namespace: "ls-system", name: "landscaper-agent-taken" };
    await cluster.client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    expect(await bootstrap("--environment", "taken", "--namespaces", "team-a")).toEqual({
      stdout: "",
      stderr:
        "error: ServiceAccount landscaper-agent-taken exists already and was made for something else: it lacks the label deployers.landscaper.gardener.cloud/environment\n",
      exitCode: 1,
    });
  });

  it("creates nothing if --namespaces is missing and the Environment does not exist", async () => {
    expect(await bootstrap("--environment", "unlimited")).toEqual({
      stdout: "",
      stderr:
        "error: --namespaces is missing: Environment unlimited does not exist. Name the namespaces whose DeployItems and Secrets its deployers may read.\n",
      exitCode: 2,
    });
    const account = { namespace: "ls-system", name: "landscaper-agent-unlimited" };
    expect(await cluster.client.find(kubeResources.serviceAccount, account)).toBeUndefined();
  });

  it.each([
    [[], "--environment is missing: the name of the Environment"],
    [
      ["--environment", "A.b"],
      '--environment: expected a DNS label of at most 56 characters (lower-case letters, digits and -), found "A.b"',
    ],
    [
      ["--environment", "e", "--server", "http://plain.example"],
      '--server: expected an https URL, found "http://plain.example"',
    ],
    [
      ["--environment", "e", "--token-life", "5m"],
      '--token-life: expected a duration of at least 10m, such as 720h, found "5m"',
    ],
    [
      ["--environment", "e", "--token-life", "soon"],
      '--token-life: expected a duration of at least 10m, such as 720h, found "soon"',
    ],
    ...["", "a,,b", "a,*", "team-*", "a,a", "A"].map((names): [string[], string] => [
      ["--environment", "e", "--namespaces", names],
      `--namespaces: expected names of namespaces, each once, separated by commas, or "*" for all, found "${names}"`,
    ]),
  ])("refuses %j", async (words, message) => {
    expect(await bootstrap(...words)).toEqual({ stdout: "", stderr: `error: ${message}\n`, exitCode: 2 });
  });
});
