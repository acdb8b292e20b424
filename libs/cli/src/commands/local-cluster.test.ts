import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import type { KubeObject, ResourceType } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { runProgram, type Outcome } from "../../test/program.ts";

const folder = mkdtempSync(join(tmpdir(), "landscaper-local-cluster-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Service = KubeObject & { spec: object; status?: { loadBalancer?: object } };
const services: ResourceType<Service> = {
  group: "",
  version: "v1",
  kind: "Service",
  plural: "services",
  namespaced: true,
};
const namespace = "default";

/** Runs the command with more flags until `use` is done with its cluster. */
async function withCluster(flags: readonly string[], use: (client: Client) => Promise<void>): Promise<Outcome> {
  const file = join(folder, "kubeconfig");
  const interrupt = new AbortController();
  const words = ["local-cluster", "--write-kubeconfig", file, ...flags];
  let ready = (): void => undefined;
  const isUp = new Promise<void>((resolve) => (ready = resolve));
  const onWrite = (text: string): void => {
    if (text.includes(`use: kubectl --kubeconfig ${file} `)) ready();
  };
  const running = runProgram(words, { signal: interrupt.signal, onWrite });
  await isUp;
  const client = createClient({ connection: connectionFromKubeconfig(readFileSync(file, "utf8")) });
  try {
    await use(client);
  } finally {
    await client.close();
    interrupt.abort();
    rmSync(file);
  }
  return await running;
}

async function createPod(client: Client): Promise<void> {
  const spec = { containers: [{ name: "main", image: "main:1" }] };
  await client.create(kubeResources.pod, { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace }, spec });
}

async function phaseOf(client: Client): Promise<string | undefined> {
  return (await client.get(kubeResources.pod, { namespace, name: "p" })).status?.phase;
}

type AccessReview = KubeObject & { spec: object; status?: { allowed: boolean } };
const accessReviews: ResourceType<AccessReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
};

async function mayListSecrets(client: Client, user: string, groups: readonly string[] = []): Promise<boolean> {
  const spec = { user, groups, resourceAttributes: { namespace, verb: "list", resource: "secrets" } };
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", metadata: { name: "" }, spec };
  return (await client.create(accessReviews, review)).status?.allowed ?? false;
}

describe("landscaper local-cluster", () => {
  it("runs nothing by itself", async () => {
    const { exitCode } = await withCluster([], async (client) => {
      await createPod(client);
      expect(await phaseOf(client)).toBe("Pending");
      expect(await client.list(kubeResources.pod)).toMatchObject({ items: [{ metadata: { name: "p" } }] });
      expect(await phaseOf(client)).toBe("Pending");
    });
    expect(exitCode).toBe(0);
  });

  it("lets pods run in appearance and Services have addresses when it is told to", async () => {
    const flags = ["--simulate-workloads", "--load-balancer-address", "192.0.2.7"];
    await withCluster(flags, async (client) => {
      await createPod(client);
      await waitFor(async () => (await phaseOf(client)) === "Running");
      const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
      await client.create(services, { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace }, spec });
      await waitFor(async () => {
        const { status } = await client.get(services, { namespace, name: "web" });
        return JSON.stringify(status?.loadBalancer) === '{"ingress":[{"ip":"192.0.2.7","ipMode":"VIP"}]}';
      });
    });
  });

  it.each([
    ["allows every account everything", [], true],
    ["checks the rights of accounts with --rbac", ["--rbac"], false],
  ] as const)("%s", async (_title, flags, allowed) => {
    await withCluster(flags, async (client) => {
      expect(await mayListSecrets(client, "system:serviceaccount:default:web")).toBe(allowed);
      expect(await mayListSecrets(client, "admin", ["system:masters"])).toBe(true);
    });
  });

  const wrong: readonly (readonly [flags: readonly string[], message: string])[] = [
    [["--port", "x"], '--port: expected a number from 0 to 65535, found "x"'],
    [["--load-balancer-address", "192.0.2.7"], "--load-balancer-address: goes with --simulate-workloads only"],
    [
      ["--simulate-workloads", "--load-balancer-address", "here"],
      '--load-balancer-address: expected an IP address, found "here"',
    ],
  ];
  it.each(wrong)("refuses %j", async (flags, message) => {
    const { stderr, exitCode } = await runProgram(["local-cluster", ...flags]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(1);
  });

  it("names --port and the remedy if the port is in use", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const port = Object(taken.address()).port;
    const { stderr, exitCode } = await runProgram(["local-cluster", "--port", String(port)]);
    taken.close();
    expect(stderr).toBe(
      `error: --port: cannot listen on 127.0.0.1:${port} (EADDRINUSE). Choose a free port, or leave out --port\n`,
    );
    expect(exitCode).toBe(1);
  });

  it("names --write-kubeconfig and the remedy if the file cannot be written", async () => {
    const file = join(folder, "nope", "kubeconfig");
    const { stderr, exitCode } = await runProgram(["local-cluster", "--write-kubeconfig", file]);
    expect(stderr).toBe(
      `error: --write-kubeconfig: cannot write ${file} (ENOENT). Correct the path, or create its folder\n`,
    );
    expect(exitCode).toBe(1);
  });
});
