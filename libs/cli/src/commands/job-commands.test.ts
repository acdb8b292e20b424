import { describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useInstallations } from "../../test/installation-bench.ts";
import {
  deployItem,
  ended,
  execution,
  failure,
  installation,
  open,
  type InstallationState,
} from "../../test/objects.ts";

const bench = useInstallations();
const { landscaper, put, read, setStatus } = bench;

const operation = "landscaper.gardener.cloud/operation";

/** What the core does when a job is asked for: the request goes, and there is a new job. */
async function begin(name: string, jobID: string): Promise<void> {
  await waitFor(async () => (await read(name))?.metadata.annotations?.[operation] !== undefined);
  await setStatus(name, { observedGeneration: 0, jobID, phase: "Progressing" });
  const body = { metadata: { annotations: { [operation]: null } } };
  await bench.cluster.client.patch(resources.installation, { namespace: "ns", name }, { type: "merge", body });
}

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
        if (text.endsWith("Progressing\n")) void setStatus("r2", { phase: "Succeeded", jobIDFinished: "new" });
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
    await setStatus("r3", {
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
    expect(await landscaper("reconcile r4 --wait --timeout 1ms")).toEqual({
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
    await setStatus("i1", { phase: "Failed", jobIDFinished: "j2" });
    const body = { metadata: { annotations: { [operation]: null } } };
    await bench.cluster.client.patch(resources.installation, { namespace: "ns", name: "i1" }, { type: "merge", body });
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
    await bench.cluster.put(resources.execution, execution(parent, open("Progressing")));
    expect((await landscaper("interrupt exec/i3")).stdout).toBe("execution/i3 is being interrupted\n");
    const own = await bench.cluster.client.get(resources.execution, { namespace: "ns", name: "i3" });
    expect(own.metadata.annotations?.[operation]).toBe("interrupt");
    expect(await landscaper("interrupt secret/x")).toMatchObject({ exitCode: 2 });
  });

  it("ends the job of a DeployItem alone", async () => {
    const parent = await put({ name: "i4", status: open("Progressing") });
    await bench.cluster.put(resources.execution, execution(parent, open("Progressing")));
    const owner = await bench.cluster.client.get(resources.execution, { namespace: "ns", name: "i4" });
    await bench.cluster.put(resources.deployItem, deployItem(owner, { item: "a", status: open("Progressing") }));
    const interrupted = landscaper("interrupt di/i4-a --wait");
    const key = { namespace: "ns", name: "i4-a" };
    const find = async () => await bench.cluster.client.get(resources.deployItem, key);
    await waitFor(async () => (await find()).metadata.annotations?.[operation] === "interrupt");
    const found = await find();
    const status = { ...found.status, phase: "Failed", jobIDFinished: found.status?.jobID ?? "" };
    await bench.cluster.client.updateStatus(resources.deployItem, { ...found, status });
    const body = { metadata: { annotations: { [operation]: null } } };
    await bench.cluster.client.patch(resources.deployItem, key, { type: "merge", body });
    expect((await interrupted).stdout).toMatch(/^deployitem\/i4-a is being interrupted\n[^]*has no open job\n$/);
    expect((await read("i4"))?.metadata.annotations).toBeUndefined();
  });
});

describe("landscaper delete", () => {
  const finalizers = ["finalizer.landscaper.gardener.cloud"];
  const putKept = async (name: string, status: InstallationState["status"] = ended("Succeeded")) => {
    const object = installation({ name, status });
    await bench.cluster.put(resources.installation, { ...object, metadata: { ...object.metadata, finalizers } });
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
    await bench.cluster.client.patch(resources.installation, { namespace: "ns", name: "d1" }, { type: "merge", body });
    const { stdout, exitCode } = await deleted;
    expect({ stdout, exitCode }).toEqual({
      stdout:
        "installation/d1 is being deleted: what is still installed stays on the targets\ninstallation/d1 deleted\n",
      exitCode: 0,
    });
  });

  it("fails with the cause, and tries again when it is asked again", async () => {
    await putKept("d2");
    const deleted = landscaper("delete d2 --wait");
    await waitFor(async () => (await read("d2"))?.metadata.deletionTimestamp !== undefined);
    await setStatus("d2", {
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
    expect((await landscaper("delete d2")).stdout).toBe("installation/d2 starts another deletion job\n");
    expect((await read("d2"))?.metadata.annotations).toEqual({ [operation]: "reconcile" });
  });
});
