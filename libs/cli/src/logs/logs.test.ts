import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { resources, type DeployItem, type Pod } from "@landscaper/api";
import {
  createKubeconfig,
  json,
  startScriptedApiServer,
  waitFor,
  type Answer,
  type ScriptedApiServer,
} from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../../test/cluster.ts";
import { hostile, shown } from "../../test/hostile.ts";
import { runProgram, type Outcome, type RunOptions } from "../../test/program.ts";

let hub: TestCluster;
let host: ScriptedApiServer;
let item: DeployItem;
let hostKubeconfig: string;
beforeAll(async () => {
  [hub, host] = await Promise.all([startTestCluster("ns"), startScriptedApiServer()]);
  const metadata = { name: "setup", namespace: "ns" };
  const spec = {
    type: "landscaper.gardener.cloud/container",
    config: { apiVersion: "test/v1", kind: "ProviderConfiguration" },
  };
  item = await hub.put(resources.deployItem, {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata,
    spec,
  });
  await hub.put(resources.deployItem, {
    ...item,
    metadata: { name: "chart" },
    spec: { ...spec, type: "landscaper.gardener.cloud/helm" },
  });
  hostKubeconfig = join(dirname(hub.kubeconfig), "host");
  writeFileSync(
    hostKubeconfig,
    createKubeconfig({ name: "host", server: host.url, ca: undefined, user: { token: "t" } }),
  );
});
afterAll(async () => {
  await hub.stop();
  await host.close();
});

async function logs(words: string, options?: RunOptions): Promise<Outcome> {
  return await runProgram(["logs", ...words.split(" "), "--host-kubeconfig", hostKubeconfig, ...hub.flags], options);
}

type Status = NonNullable<Pod["status"]>;
const running: Status = { phase: "Running", containerStatuses: [{ name: "main", state: { running: {} } }] };
const starting: Status = {
  phase: "Pending",
  containerStatuses: [{ name: "main", state: { waiting: { reason: "PodInitializing" } } }],
};
/** With a field that we read nowhere else. */
const evicted: Status & { readonly reason: string } = { ...starting, phase: "Failed", reason: "Evicted" };

function pod(name: string, status: Status, minute = 0): Pod {
  const creationTimestamp = `2026-01-01T00:0${minute}:00Z`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "programs", uid: name, resourceVersion: "5", creationTimestamp },
    status,
  };
}

const text =
  (...parts: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    for (const part of parts) response.write(part);
    response.end();
  };

/** The host answers with these Pods, and with this log. */
function play(pods: readonly Pod[], log: Answer): void {
  host.setDefault((response, request) => {
    const list = { apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "5" }, items: pods };
    return request.path.endsWith("/log") ? log(response, request) : json(list)(response, request);
  });
}

const lastQuery = () => host.requests.at(-1)?.query;

/** What the status says of the last run. */
async function record(podStatus: object, jobID = "job-2"): Promise<void> {
  const providerStatus = {
    apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1",
    kind: "ProviderStatus",
    podStatus: {
      podName: "setup-new",
      podUID: "setup-new",
      runID: "job-2",
      lastRun: "2026-01-01T00:00:00Z",
      ...podStatus,
    },
  };
  await hub.setStatus(resources.deployItem, "setup", { observedGeneration: 1, jobID, providerStatus });
}

describe("landscaper logs", () => {
  beforeEach(async () => record({}));
  beforeEach(() => play([pod("setup-new", running, 2), pod("setup-old", running, 1)], text("one\n", "two\n")));

  it("prints the log of the Pod that the status has recorded, which it finds by the uid of the item", async () => {
    expect(await logs("setup")).toEqual({ stdout: "one\ntwo\n", stderr: "", exitCode: 0 });
    const [list, log] = host.requests.slice(-2);
    expect(list?.path).toBe("/api/v1/pods");
    expect(list?.query["labelSelector"]).toBe(`container.deployer.landscaper.gardener.cloud/uid=${item.metadata.uid}`);
    expect([log?.path, log?.query]).toEqual(["/api/v1/namespaces/programs/pods/setup-new/log", { container: "main" }]);
  });

  it("writes control characters of a log to a pipe, and to a terminal only with --raw", async () => {
    const terminal = { rows: () => 24 };
    const [start, end] = [Buffer.from(`${hostile}\n`).subarray(0, -10), Buffer.from(`${hostile}\n`).subarray(-10)];
    play([pod("setup-new", running)], (response) => {
      // Cut inside the character U+202E.
      response.write(start);
      response.end(end);
    });
    const unchanged = { stdout: `${hostile}\n`, stderr: "", exitCode: 0 };
    expect(await logs("setup")).toEqual(unchanged);
    expect(await logs("setup --raw", { terminal })).toEqual(unchanged);
    expect(await logs("setup", { terminal })).toEqual({ ...unchanged, stdout: `${shown}\n` });
  });

  it("prints that of the Pod before, of another container, and only its end", async () => {
    const status = {
      phase: "Running",
      initContainerStatuses: [{ name: "init", state: { terminated: { exitCode: 0 } } }],
    };
    play([pod("setup-new", running, 2), pod("setup-old", status, 1)], text("done\n"));
    expect((await logs("di/setup --previous --container init --tail 5 --host-namespace programs")).stdout).toBe(
      "done\n",
    );
    expect(host.requests.at(-1)?.path).toBe("/api/v1/namespaces/programs/pods/setup-old/log");
    expect(host.requests.at(-2)?.path).toBe("/api/v1/namespaces/programs/pods");
    expect(lastQuery()).toEqual({ container: "init", tailLines: "5" });
  });

  it("prints that of a repetition of the job", async () => {
    await record({ runID: "job-2@2026-01-01T00:00:00Z" });
    expect((await logs("setup")).stdout).toBe("one\ntwo\n");
  });

  it("prints none while the job that runs has not recorded its Pod, and that of the job before with --previous", async () => {
    await record({}, "job-3");
    const { stdout, stderr, exitCode } = await logs("setup");
    expect([stdout, exitCode]).toEqual(["", 1]);
    expect(stderr).toContain(
      "the last job of deploy item setup has no Pod; --previous prints the log of Pod setup-new",
    );
    await logs("setup --previous");
    expect(host.requests.at(-1)?.path).toBe("/api/v1/namespaces/programs/pods/setup-new/log");
  });

  it("prints what comes as it comes", async () => {
    let finish = (): void => {};
    play([pod("setup-new", running)], (response) => {
      response.write("first\n");
      finish = () => void response.end("last\n");
    });
    let printed = "";
    const done = logs("setup -f", { onWrite: (stdout) => void (printed = stdout) });
    await waitFor(() => printed === "first\n");
    finish();
    expect((await done).stdout).toBe("first\nlast\n");
    expect(lastQuery()).toEqual({ container: "main", follow: "true" });
  });

  it("waits with -f for a program that has not started", async () => {
    let started = false;
    host.setDefault((response, request) => {
      if (request.path.endsWith("/log")) return text("hello\n")(response, request);
      if (request.query["watch"] === undefined) {
        const list = {
          apiVersion: "v1",
          kind: "PodList",
          metadata: { resourceVersion: "5" },
          items: [pod("setup-new", starting)],
        };
        return json(list)(response, request);
      }
      response.writeHead(200, { "content-type": "application/json" });
      started = true;
      response.write(`${JSON.stringify({ type: "MODIFIED", object: pod("setup-new", running) })}\n`);
    });
    expect(await logs("setup -f")).toEqual({ stdout: "hello\n", stderr: "", exitCode: 0 });
    expect(started).toBe(true);
  });

  it.each<readonly [string, () => void, string, string]>([
    [
      "an item without Pod",
      () => play([], text()),
      "setup",
      "deploy item setup has no Pod: it is removed when the program has ended, unless the deployer keeps it (debug.keepPod, debug.keepFailedPod); landscaper why di/setup says how its last job went",
    ],
    [
      "no Pod before the last one",
      () => play([pod("setup-new", running)], text()),
      "setup --previous",
      "deploy item setup has one Pod, setup-new, and none before it: the deployer keeps Pods that have ended only with debug.keepPod",
    ],
    [
      "a Pod of another job alone",
      () => play([pod("setup-old", running)], text("of another job\n")),
      "setup",
      "the last job of deploy item setup has no Pod; --previous prints the log of Pod setup-old, which is of an earlier run",
    ],
    [
      "a program that has not started",
      () => play([pod("setup-new", starting)], text()),
      "setup",
      "container main of Pod setup-new has not started: PodInitializing; --follow waits for it",
    ],
    [
      "a program that will not start",
      () => play([pod("setup-new", evicted)], text()),
      "setup -f",
      "container main of Pod setup-new has not run, and will not (Failed, Evicted)",
    ],
    [
      "an item of another type",
      () => undefined,
      "chart",
      "deploy item chart is of type landscaper.gardener.cloud/helm: only items of type landscaper.gardener.cloud/container run programs",
    ],
    [
      "another kind",
      () => undefined,
      "inst/shop",
      "expected a DeployItem, found inst/shop; landscaper tree lists those below it",
    ],
    [
      "another container",
      () => undefined,
      "setup --container sidecar",
      '--container: expected main, init, wait, found "sidecar"',
    ],
    ["no number", () => undefined, "setup --tail all", '--tail: expected a number of lines, found "all"'],
  ])("says what is wrong with %s", async (...[, prepare, words, message]) => {
    prepare();
    const { stdout, stderr, exitCode } = await logs(words);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(exitCode).toBeGreaterThan(0);
  });

  it("names the item that does not exist", async () => {
    expect(await logs("nobody")).toEqual({
      stdout: "",
      stderr:
        'error: DeployItem "nobody" does not exist in namespace "ns"; "landscaper tree -n ns" lists the DeployItems\n',
      exitCode: 1,
    });
  });
});
