// `landscaper helm versions`, with a deployer that the test plays.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  kubeResources,
  resources,
  type DeployItem,
  type Execution,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { playPlans, waitFor, type PlayedPlan } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../../../test/cluster.ts";
import { deployItem, ended, execution, installation, open, type DeployItemState } from "../../../test/objects.ts";
import { runProgram, type Outcome, type RunOptions } from "../../../test/program.ts";

const operation = "landscaper.gardener.cloud/operation";
const type = "landscaper.gardener.cloud/helm";

function answer(result: string, verdict: string, changes: PlayedPlan["changes"] = []): PlayedPlan {
  const heading = `Helm 3 (of its release) -> Helm 4: ${verdict}`;
  const lines = changes.map((change) => `${(change as { line: string }).line}\n`);
  const helm = { version: "3", source: "release", recorded: "3", switch: { to: "4", result } };
  return { summary: heading, text: `${heading}\n${lines.join("")}`, changes, details: { helm } };
}

const restart = { type: "update", restartsPods: true, line: "update Deployment x/web: R13; restarts pods" };
const changing = answer("changes", "1 to update", [restart]);
const spaced = answer("whiteSpace", "white space only");

let cluster: TestCluster;
let items: Execution;
let playing: ReturnType<typeof playPlans> | undefined;
beforeAll(async () => {
  cluster = await startTestCluster("ns");
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  const root = await cluster.put(resources.installation, installation({ name: "blog", status: ended("Succeeded") }));
  items = await cluster.put(resources.execution, execution(root, ended("Succeeded")));
});
afterEach(async () => {
  await playing?.stop();
  playing = undefined;
  await deleteAll(resources.deployItem);
  await deleteAll(resources.execution);
  await deleteAll(resources.installation);
  await deleteAll(kubeResources.secret);
});

async function deleteAll<T extends KubeObject>(kind: ResourceType<T>): Promise<void> {
  const { items: left } = await cluster.client.list(kind, { namespace: "ns" });
  for (const { metadata } of left) await cluster.client.delete(kind, { namespace: "ns", name: metadata.name ?? "" });
}

async function versions(words = "", options?: RunOptions): Promise<Outcome> {
  const flags = words.includes("-A") ? cluster.flags.slice(2) : cluster.flags;
  const given = words === "" ? [] : words.split(" ");
  return await runProgram(["helm", "versions", ...given, ...flags], { now: Date.now, ...options });
}

async function putItem(item: string, state: Partial<DeployItemState> = {}): Promise<DeployItem> {
  return await cluster.put(
    resources.deployItem,
    deployItem(items, { item, spec: { type }, status: ended("Succeeded"), ...state }),
  );
}

async function operationsOf(): Promise<(string | undefined)[]> {
  const { items: all } = await cluster.client.list(resources.deployItem, { namespace: "ns" });
  return all.map(({ metadata }) => metadata.annotations?.[operation]);
}

describe("landscaper helm versions", () => {
  it("lists the helm items with their versions and changes, and a summary", async () => {
    await putItem("web");
    await putItem("db");
    await putItem("mock", { spec: { type: "landscaper.gardener.cloud/mock" } });
    playing = playPlans(cluster, { "blog-web": changing, "blog-db": spaced });
    const stdout = `ns/blog-db of Installation blog: Helm 3 (of its release) -> Helm 4: white space only
ns/blog-web of Installation blog: Helm 3 (of its release) -> Helm 4: 1 to update
  update Deployment x/web: R13; restarts pods
2 helm items: 1 with changes (1 workload restarts pods), 1 without changes
`;
    expect(await versions()).toEqual({ stdout, stderr: "", exitCode: 0 });
    expect(await versions("-A --exit-code")).toEqual({ stdout, stderr: "", exitCode: 1 });
    expect(await operationsOf()).toEqual([undefined, undefined, undefined]);
  });

  it("ends with 0 and --exit-code if nothing changes, and with 1 if the other version refuses a chart", async () => {
    await putItem("db");
    playing = playPlans(cluster, { "blog-db": spaced });
    expect(await versions("--exit-code")).toMatchObject({ exitCode: 0 });
    await playing.stop();
    playing = playPlans(cluster, { "blog-db": answer("refused", "Helm 4 refuses the chart: no") });
    expect(await versions("--exit-code")).toEqual({
      stdout:
        "ns/blog-db of Installation blog: Helm 3 (of its release) -> Helm 4: Helm 4 refuses the chart: no\n1 helm item: 0 with changes, 0 without changes, 1 refused\n",
      stderr: "",
      exitCode: 1,
    });
  });

  it("ends with 2 and the reason for what cannot be known", async () => {
    const busy = { ...open("Progressing"), providerStatus: { mode: "release", helmVersion: "4" } };
    await putItem("busy", { status: busy });
    const config = { apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
    await putItem("down", { spec: { type, config: { ...config, helmVersion: "3" } } });
    await putItem("random");
    playing = playPlans(cluster, {
      "blog-down": "Target ns/cluster: no answer",
      "blog-random": answer("unknown", "cannot be known, because templates render differently each time; 1 unknown"),
    });
    expect(await versions()).toEqual({
      stdout: `ns/blog-busy of Installation blog: Helm 4 (by its status): cannot be known: has an open job (Progressing), which goes first
ns/blog-down of Installation blog: Helm 3 (set by the item): cannot be known: Target ns/cluster: no answer
ns/blog-random of Installation blog: Helm 3 (of its release) -> Helm 4: cannot be known, because templates render differently each time; 1 unknown
3 helm items: 0 with changes, 0 without changes, 3 cannot be known
`,
      stderr: "",
      exitCode: 2,
    });
  });

  it("prints JSON for programs", async () => {
    await putItem("web");
    const providerStatus = { mode: "release" };
    await putItem("busy", { status: { ...open("Progressing"), providerStatus } });
    playing = playPlans(cluster, { "blog-web": changing });
    const { stdout, exitCode } = await versions("-o json");
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      2,
      {
        items: [
          {
            namespace: "ns",
            name: "blog-busy",
            installation: "blog",
            version: "3",
            source: "status",
            recorded: null,
            to: null,
            result: "unknown",
            changes: [],
            omitted: 0,
            text: null,
            error: "has an open job (Progressing), which goes first",
          },
          {
            namespace: "ns",
            name: "blog-web",
            installation: "blog",
            version: "3",
            source: "release",
            recorded: "3",
            to: "4",
            result: "changes",
            changes: [restart],
            omitted: 0,
            text: changing.text,
            error: null,
          },
        ],
        summary: { items: 2, changing: 1, restarts: 1, refused: 0, unchanged: 0, unknown: 1 },
      },
    ]);
  });

  it.each([
    ["", "plan-other-helm"],
    ["--helm 3", "plan-helm-3"],
    ["--helm 4", "plan-helm-4"],
  ])("for the flags %p, requests the operation %s and withdraws it if no deployer answers", async (words, expected) => {
    await putItem("web");
    let expire: (() => void) | undefined;
    const schedule: RunOptions["schedule"] = (_ms, callback) => ((expire = callback), () => undefined);
    const outcome = versions(`${words} --timeout 7s`.trim(), { schedule });
    await waitFor(async () => (await operationsOf())[0] === expected && expire !== undefined);
    expire?.();
    expect(await outcome).toEqual({
      stdout: `ns/blog-web of Installation blog: cannot be known: no deployer has answered within 7s; does one of this release run for type ${type}?
1 helm item: 0 with changes, 0 without changes, 1 cannot be known
`,
      stderr: "",
      exitCode: 2,
    });
    expect(await operationsOf()).toEqual([undefined]);
  });

  it("asks eight items at a time, and leaves no request behind when it is interrupted", async () => {
    for (let i = 10; i < 22; i++) await putItem(`web-${i}`);
    const stopping = new AbortController();
    const outcome = versions("", { signal: stopping.signal });
    const asked = async (): Promise<number> => (await operationsOf()).filter((each) => each !== undefined).length;
    await waitFor(async () => (await asked()) === 8);
    stopping.abort();
    expect(await outcome).toEqual({
      stdout: "",
      stderr: "error: stopped: all open requests are withdrawn\n",
      exitCode: 2,
    });
    expect(await asked()).toBe(0);
  });

  it("withdraws the request if a job comes meanwhile", async () => {
    await putItem("web");
    const outcome = versions();
    await waitFor(async () => (await operationsOf())[0] === "plan-other-helm");
    await cluster.setStatus(resources.deployItem, "blog-web", open("Progressing"));
    expect((await outcome).stdout).toContain("cannot be known: has an open job (Progressing), which goes first\n");
    expect(await operationsOf()).toEqual([undefined]);
  });

  it("ignores the plan of another client", async () => {
    await putItem("web");
    playing = playPlans(cluster, { "blog-web": { summary: "1 unchanged", text: "1 unchanged\n", changes: [] } });
    expect(await versions()).toMatchObject({
      stdout: expect.stringContaining("cannot be known: another client asked for another plan meanwhile"),
      exitCode: 2,
    });
  });

  it("says that there are no helm items", async () => {
    expect(await versions()).toEqual({ stdout: 'no helm items in namespace "ns"\n', stderr: "", exitCode: 0 });
    expect((await versions("-A")).stdout).toBe("no helm items in any namespace\n");
  });

  it.each([
    ["--helm 5", '--helm: expected 3 or 4, the major version of Helm, found "5"'],
    ["-o yaml", '-o: expected text or json, found "yaml"'],
    ["--timeout 0s", '--timeout: expected a duration such as "90s" or "1h30m", found "0s"'],
    ["-A -n ns", "-A and -n contradict each other"],
  ])("refuses %s", async (words, message) => {
    expect(await versions(words)).toEqual({ stdout: "", stderr: `error: ${message}\n`, exitCode: 2 });
  });
});
