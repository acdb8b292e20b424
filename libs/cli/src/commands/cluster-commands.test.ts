import { readFileSync, writeFileSync } from "node:fs";
import { fromYaml } from "@landscaper/goyaml";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type Installation } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../../test/cluster.ts";
import {
  deployItem,
  ended,
  execution,
  failure,
  installation,
  open,
  type InstallationState,
} from "../../test/objects.ts";
import { runProgram, type RunOptions } from "../../test/program.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster("ns");
});
afterAll(() => cluster.stop());

function landscaper(words: string, options?: RunOptions) {
  return runProgram([...words.split(" "), ...cluster.flags], options);
}

/** An Installation as the core leaves it. */
async function put(state: InstallationState): Promise<Installation> {
  return cluster.put(resources.installation, installation(state));
}

async function read(name: string): Promise<Installation | undefined> {
  return cluster.client.find(resources.installation, { namespace: "ns", name });
}

const operation = "landscaper.gardener.cloud/operation";

/** What the core does when a job is asked for: the request goes, and there is a new job. */
async function begin(name: string, jobID: string): Promise<void> {
  await waitFor(async () => (await read(name))?.metadata.annotations?.[operation] !== undefined);
  await cluster.setStatus(resources.installation, name, { observedGeneration: 0, jobID, phase: "Progressing" });
  const body = { metadata: { annotations: { [operation]: null } } };
  await cluster.client.patch(resources.installation, { namespace: "ns", name }, { type: "merge", body });
}

async function end(name: string, status: object): Promise<void> {
  await cluster.setStatus(resources.installation, name, status);
}

describe("landscaper tree", () => {
  beforeAll(async () => {
    const root = await put({ name: "shop", status: ended("Failed") });
    const sub = await put({ name: "db-1", item: "database", parent: root, status: ended("Succeeded") });
    await put({ name: "quiet", status: ended("Succeeded") });
    const own = await cluster.put(resources.execution, execution(root, ended("Failed")));
    await cluster.put(resources.execution, execution(sub, ended("Succeeded")));
    const error = { ...ended("Failed"), ...failure("InvalidManifest", "manifests[0]: no kind") };
    await cluster.put(resources.deployItem, deployItem(own, { item: "web", status: error }));
    await cluster.put(resources.deployItem, deployItem(own, { item: "api", status: ended("Succeeded") }));
  });

  it("keeps only the paths to what failed", async () => {
    const { stdout, exitCode } = await landscaper("tree --failed");
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/ {2,}\d+[smhd]?$/gm, "").replaceAll(/ {2,}/g, "  ")).toBe(
      [
        "Installation shop  Failed",
        "└─ Execution shop  Failed",
        "  └─ DeployItem web (shop-web) landscaper.gardener.cloud/mock  Failed",
        "  ! manifests[0]: no kind",
        "",
      ].join("\n"),
    );
    expect((await landscaper("tree quiet --failed")).stdout).toBe('nothing has failed in namespace "ns"\n');
  });

  it("looks into the namespace of the kubeconfig's context", async () => {
    const [, , , kubeconfig = ""] = cluster.flags;
    const config = fromYaml(readFileSync(kubeconfig, "utf8")) as { contexts: { context: Record<string, string> }[] };
    for (const { context } of config.contexts) context["namespace"] = "ns";
    const file = `${kubeconfig}-of-ns`;
    writeFileSync(file, JSON.stringify(config));
    const { stdout } = await runProgram(["tree", "shop", "-o", "json", "--kubeconfig", file]);
    expect(JSON.parse(stdout)).toMatchObject({ namespace: "ns", installations: [{ name: "shop" }] });
  });

  it("prints JSON of a stable shape", async () => {
    const { stdout } = await landscaper("tree shop -o json");
    const leaf = {
      type: null,
      running: false,
      deleting: false,
      created: expect.any(String),
      error: null,
      children: [],
    };
    expect(JSON.parse(stdout)).toEqual({
      namespace: "ns",
      installations: [
        {
          ...leaf,
          kind: "Installation",
          name: "shop",
          item: null,
          phase: "Failed",
          children: [
            {
              ...leaf,
              kind: "Execution",
              name: "shop",
              item: null,
              phase: "Failed",
              children: [
                {
                  ...leaf,
                  kind: "DeployItem",
                  name: "shop-api",
                  item: "api",
                  type: "landscaper.gardener.cloud/mock",
                  phase: "Succeeded",
                },
                {
                  ...leaf,
                  kind: "DeployItem",
                  name: "shop-web",
                  item: "web",
                  type: "landscaper.gardener.cloud/mock",
                  phase: "Failed",
                  error: "manifests[0]: no kind",
                },
              ],
            },
            {
              ...leaf,
              kind: "Installation",
              name: "db-1",
              item: "database",
              phase: "Succeeded",
              children: [{ ...leaf, kind: "Execution", name: "db-1", item: null, phase: "Succeeded" }],
            },
          ],
        },
      ],
    });
  });

  it("draws a mermaid flowchart", async () => {
    expect((await landscaper("tree shop --failed -o mermaid")).stdout).toBe(`flowchart TD
  n0["Installation shop<br>Failed"]:::failed
  n1["Execution shop<br>Failed"]:::failed
  n0 --> n1
  n2["DeployItem web<br>Failed"]:::failed
  n1 --> n2
  classDef succeeded fill:#d7f5d7,stroke:#2e7d32
  classDef failed fill:#fbd7d7,stroke:#c62828
  classDef running fill:#fff3cd,stroke:#b8860b
`);
  });

  it("shows changes until it is interrupted", async () => {
    await put({ name: "moving", status: open("Init") });
    const controller = new AbortController();
    let moved: Promise<unknown> | undefined;
    const { stdout, exitCode } = await landscaper("tree moving --watch", {
      signal: controller.signal,
      onWrite: (text) => {
        moved ??= end("moving", { phase: "Completing" });
        if (text.includes("Completing")) controller.abort();
      },
    });
    await moved;
    expect(exitCode).toBe(0);
    expect(stdout).toBe("--- 00:10:00\nInstallation moving  Init\n--- 00:10:00\nInstallation moving  Completing\n");
  });

  it.each([
    ["tree none", 1, 'error: there is no Installation "none" in namespace "ns"\n'],
    ["tree -o xml", 2, 'error: -o: expected text, json, mermaid, found "xml"\n'],
    ["tree -w -o json", 2, "error: --watch shows text; it does not go with -o json\n"],
  ])("%s is refused", async (...[words, exitCode, stderr]) => {
    expect(await landscaper(words)).toEqual({ stdout: "", stderr, exitCode });
  });
});

it("says so when a namespace is empty", async () => {
  const [, , ...kubeconfig] = cluster.flags;
  const words = ["tree", "-n", "empty", ...kubeconfig];
  expect(await runProgram(words)).toEqual({
    stdout: "",
    stderr: 'error: there are no Installations in namespace "empty"\n',
    exitCode: 1,
  });
  expect((await runProgram([...words, "-o", "json"])).stdout).toBe(
    '{\n  "namespace": "empty",\n  "installations": []\n}\n',
  );
});

describe("landscaper why", () => {
  it("reads the cluster, names of Targets included", async () => {
    const app = await put({ name: "waiting", status: open("Progressing") });
    const own = await cluster.put(resources.execution, execution(app, open("Progressing")));
    const spec = { target: { name: "blue" } };
    const status = { ...open("Progressing"), phase: "", jobIDGenerationTime: "2026-01-01T00:06:00Z" };
    await cluster.put(resources.deployItem, deployItem(own, { item: "chart", spec, status }));
    const lines = (leaf: string) =>
      [
        "Installation waiting (Progressing): waits for its sub-objects",
        "  Execution waiting (Progressing): waits for 1 of 1 deploy item",
        `    DeployItem chart (waiting-chart) (not started): waits for 4m for a deployer of type landscaper.gardener.cloud/mock; ${leaf}`,
        "",
      ].join("\n");
    expect((await landscaper("why waiting")).stdout).toBe(
      lines(
        'its Target "blue" does not exist\n      hint: create the Target, or correct the import that the item takes it from',
      ),
    );
    await cluster.put(resources.target, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "blue" },
      spec: { type: "example.org/cluster", config: { password: "never printed" } },
    });
    const { stdout } = await landscaper("why inst/waiting");
    expect(stdout).toBe(
      lines(
        "none has ever taken an item of this type in the namespace\n      hint: check that a deployer for the type runs whose target selectors accept the Target",
      ),
    );
    expect((await landscaper("why di/waiting-chart")).stdout).toMatch(/^DeployItem chart .* for 4m/);
  });

  it.each([
    ["why exec/none", 1, 'error: there is no Execution "none" in namespace "ns"\n'],
    ["why pod/none", 2, 'error: expected inst/NAME, exec/NAME or di/NAME, found the kind "pod"\n'],
  ])("%s is refused", async (...[words, exitCode, stderr]) => {
    expect(await landscaper(words)).toEqual({ stdout: "", stderr, exitCode });
  });
});

describe("landscaper reconcile", () => {
  it("triggers, and does not wait unless it is asked to", async () => {
    await put({ name: "r1", status: ended("Succeeded") });
    expect(await landscaper("reconcile inst/r1")).toEqual({
      stdout: "installation/r1 triggered\n",
      stderr: "",
      exitCode: 0,
    });
    expect((await read("r1"))?.metadata.annotations).toEqual({ [operation]: "reconcile" });
  });

  it("follows the new job to its end", async () => {
    await put({ name: "r2", status: ended("Failed") });
    const followed = landscaper("reconcile r2 --wait --timeout 20s", {
      onWrite: (text) => {
        if (text.endsWith("Progressing\n")) void end("r2", { phase: "Succeeded", jobIDFinished: "new" });
      },
    });
    await begin("r2", "new");
    expect(await followed).toEqual({
      stdout:
        "installation/r2 triggered\n   0s  Installation r2: Progressing\n   0s  Installation r2: Succeeded\ninstallation/r2 succeeded\n",
      stderr: "",
      exitCode: 0,
    });
  });

  it("fails with the cause of the job", async () => {
    await put({ name: "r3" });
    const followed = landscaper("reconcile r3 --wait");
    await begin("r3", "new");
    await end("r3", {
      phase: "Failed",
      jobIDFinished: "new",
      observedGeneration: 1,
      ...failure("InvalidInput", "blueprint.yaml: no name"),
    });
    const { stderr, exitCode } = await followed;
    expect({ stderr, exitCode }).toEqual({
      stderr: `error: the job of Installation "r3" has failed
Installation r3 (Failed): blueprint.yaml: no name
  hint: Correct the field that the message names.
`,
      exitCode: 1,
    });
  });

  it("gives up when the time is over, and says what the job waits for", async () => {
    await put({ name: "r4", status: ended("Succeeded") });
    expect(await landscaper("reconcile r4 --wait --timeout 300ms")).toEqual({
      stdout: "installation/r4 triggered\n",
      stderr: `error: the job has not ended in time and goes on
Installation r4 (Succeeded): was triggered, and the core has not begun the job yet
  hint: check that the core runs and serves this cluster
`,
      exitCode: 1,
    });
  });

  it("stops waiting when it is interrupted", async () => {
    await put({ name: "r5", status: ended("Succeeded") });
    const controller = new AbortController();
    const followed = landscaper("reconcile r5 --wait", { signal: controller.signal });
    await waitFor(async () => (await read("r5"))?.metadata.annotations !== undefined);
    controller.abort();
    const { stderr, exitCode } = await followed;
    expect({ stderr, exitCode }).toEqual({
      stderr: 'error: stopped waiting; the job goes on, and "landscaper tree --watch -n ns" shows it\n',
      exitCode: 1,
    });
  });

  it.each([
    ["reconcile none", 1, 'error: there is no Installation "none" in namespace "ns"\n'],
    ["reconcile exec/app", 2, 'error: expected Installation, found Execution "app"\n'],
    ["reconcile app --timeout 5s", 2, "error: --timeout: expected together with --wait\n"],
    [
      "reconcile app --wait --timeout soon",
      2,
      'error: --timeout: expected a duration such as "90s" or "1h30m", found "soon"\n',
    ],
  ])("%s is refused", async (...[words, exitCode, stderr]) => {
    expect(await landscaper(words)).toEqual({ stdout: "", stderr, exitCode });
  });

  it("is for roots", async () => {
    const parent = await put({ name: "r6" });
    await put({ name: "r6-sub", parent });
    expect(await landscaper("reconcile r6-sub")).toEqual({
      stdout: "",
      stderr:
        'error: Installation "r6-sub" is part of Installation "r6", which reconciles it with its own job; use installation/r6\n',
      exitCode: 1,
    });
  });
});

describe("landscaper interrupt", () => {
  it("ends a job, and waits for the end", async () => {
    await put({ name: "i1", status: open("Progressing") });
    const interrupted = landscaper("interrupt i1 --wait");
    await waitFor(async () => (await read("i1"))?.metadata.annotations?.[operation] === "interrupt");
    await end("i1", { phase: "Failed", jobIDFinished: "j2" });
    const body = { metadata: { annotations: { [operation]: null } } };
    await cluster.client.patch(resources.installation, { namespace: "ns", name: "i1" }, { type: "merge", body });
    const { stdout, exitCode } = await interrupted;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^installation\/i1 is being interrupted\n[^]*installation\/i1 has no open job\n$/);
  });

  it("leaves what has no open job alone", async () => {
    await put({ name: "i2", status: ended("Succeeded") });
    expect((await landscaper("interrupt i2 --wait")).stdout).toBe("installation/i2 has no open job\n");
    expect((await read("i2"))?.metadata.annotations).toBeUndefined();
  });

  it("ends the job of an Execution", async () => {
    const parent = await put({ name: "i3", status: open("Progressing") });
    await cluster.put(resources.execution, execution(parent, open("Progressing")));
    expect((await landscaper("interrupt exec/i3")).stdout).toBe("execution/i3 is being interrupted\n");
    const own = await cluster.client.get(resources.execution, { namespace: "ns", name: "i3" });
    expect(own.metadata.annotations?.[operation]).toBe("interrupt");
    expect(await landscaper("interrupt di/x")).toMatchObject({ exitCode: 2 });
  });
});

describe("landscaper delete", () => {
  const finalizers = ["finalizer.landscaper.gardener.cloud"];
  const putKept = async (name: string, status: InstallationState["status"] = ended("Succeeded")) => {
    const object = installation({ name, status });
    await cluster.put(resources.installation, { ...object, metadata: { ...object.metadata, finalizers } });
  };

  it("marks, deletes, and waits until the object is gone", async () => {
    await putKept("d1");
    const deleted = landscaper("delete d1 --without-uninstall --ignore-successors --wait");
    await waitFor(async () => (await read("d1"))?.metadata.deletionTimestamp !== undefined);
    expect((await read("d1"))?.metadata.annotations).toEqual({
      "landscaper.gardener.cloud/delete-without-uninstall": "true",
      "landscaper.gardener.cloud/delete-ignore-successors": "true",
    });
    const body = { metadata: { finalizers: null } };
    await cluster.client.patch(resources.installation, { namespace: "ns", name: "d1" }, { type: "merge", body });
    const { stdout, exitCode } = await deleted;
    expect({ stdout, exitCode }).toEqual({
      stdout: "installation/d1 is being deleted\ninstallation/d1 deleted\n",
      exitCode: 0,
    });
  });

  it("fails with the cause, and tries again when it is asked again", async () => {
    await putKept("d2");
    const deleted = landscaper("delete d2 --wait");
    await waitFor(async () => (await read("d2"))?.metadata.deletionTimestamp !== undefined);
    await end("d2", {
      phase: "DeleteFailed",
      jobID: "del",
      jobIDFinished: "del",
      ...failure("SiblingImport", "web imports"),
    });
    const { stderr, exitCode } = await deleted;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: the job of Installation "d2" has failed\nInstallation d2 \(DeleteFailed\): web imports\n/,
    );
    expect((await landscaper("delete d2")).stdout).toBe("installation/d2 is being deleted already\n");
    expect((await read("d2"))?.metadata.annotations).toEqual({ [operation]: "reconcile" });
  });
});
