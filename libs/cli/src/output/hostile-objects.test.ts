import { beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { playPlans } from "@landscaper/testkit";
import { startTestCluster } from "../../test/cluster.ts";
import { environment, putEnvironment, putFleet, putFleetDeployers } from "../../test/fleet.ts";
import { expectClean, hostile, shown } from "../../test/hostile.ts";
import { createInstallFolder } from "../../test/install.ts";
import { useInstallations } from "../../test/installation-bench.ts";
import { deployItem, ended, execution, failure, open } from "../../test/objects.ts";
import { runProgram } from "../../test/program.ts";

const bench = useInstallations();
const terminal = { rows: () => 24 };

beforeAll(async () => {
  const error = { ...ended("Failed"), ...failure("InvalidManifest", hostile) };
  const root = await bench.put({ name: "shop", status: error });
  const own = await bench.cluster.put(resources.execution, execution(root, ended("Failed")));
  await bench.cluster.put(resources.deployItem, deployItem(own, { item: "web", status: error }));
  await bench.put({ name: "alone", status: error });
  await bench.put({ name: "moving", status: { ...open("Init"), ...failure("Any", hostile) } });
});

describe("a hostile message in the status of an object", () => {
  it.each(["tree", "tree -o json", "tree --failed", "why inst/shop", "why di/shop-web"])(
    "is harmless in the output of landscaper %s, on a terminal and in a pipe",
    async (words) => {
      expectClean(await bench.landscaper(words));
      expectClean(await bench.landscaper(words, { terminal }));
    },
  );

  it("keeps its meaning in JSON", async () => {
    const { stdout } = await bench.landscaper("tree alone -o json", { terminal });
    expect(JSON.parse(stdout)).toMatchObject({ installations: [{ error: hostile }] });
  });

  it("cannot draw on the terminal of landscaper tree -w", async () => {
    const controller = new AbortController();
    const outcome = await bench.landscaper("tree moving -w", {
      terminal,
      signal: controller.signal,
      onWrite: () => controller.abort(),
    });
    expectClean(outcome);
    expect(outcome.stdout).toContain(`\u001B[0J\u001B[?7lInstallation moving  \u001B[33mInit\u001B[39m`);
    expect(outcome.stdout).toContain(`! \u001B[31m${shown}\u001B[39m\n\u001B[?7h`);
  });

  it("is harmless in a plan, as text and as JSON", async () => {
    const root = await bench.put({ name: "planned", status: ended("Succeeded") });
    const items = await bench.cluster.put(resources.execution, execution(root, ended("Succeeded")));
    await bench.cluster.put(resources.deployItem, deployItem(items, { item: "web", status: ended("Succeeded") }));
    const change = { type: "update", resource: { kind: hostile } };
    const playing = playPlans(bench.cluster, {
      "planned-web": { summary: "1 to update", text: `update ${hostile}\n`, changes: [change] },
    });
    try {
      for (const words of ["diff di/planned-web", "diff di/planned-web -o json"]) {
        expectClean(await bench.landscaper(words, { terminal, now: Date.now }));
        expectClean(await bench.landscaper(words, { now: Date.now }));
      }
    } finally {
      await playing.stop();
    }
  });

  it("is harmless in the report of landscaper install about the job", async () => {
    const folder = await createInstallFolder();
    try {
      const outcome = await folder.installTo("Failed", { name: "app", jobID: "j1", error: hostile }, [
        folder.place,
        ...folder.wanted,
      ]);
      expect(outcome.exitCode).toBe(1);
      expectClean(outcome);
    } finally {
      await folder.remove();
    }
  });

  it("is harmless in lists and trees of Environments and deployers, which stay aligned", async () => {
    const cluster = await startTestCluster("ls-system", Date.parse("2026-01-01T00:00:00Z"));
    const run = async (words: string) => {
      const given = [...words.split(" "), "--kubeconfig", cluster.kubeconfig];
      for (const options of [{}, { terminal }]) expectClean(await runProgram(given, options));
      return await runProgram(given);
    };
    try {
      await putFleet(cluster);
      await putFleetDeployers(cluster);
      const deployers = [{ name: "helm-bad", registration: "helm", phase: "Failed", message: hostile } as const];
      await putEnvironment(cluster, environment("bad", { phase: "Failed", deployers, ...failure("Any", hostile) }));
      const { stdout } = await run("environments list");
      const [heading = "", row = ""] = stdout.split("\n");
      expect(row.indexOf(shown)).toBe(heading.indexOf("ERROR"));
      await run("environments list -o json");
      await run("environments tree");
      await run("environments why bad");
      const registration = await cluster.client.get(resources.deployerRegistration, { name: "helm" });
      const rollout = { updated: 2, environments: ["bad"], waitsFor: hostile };
      await cluster.client.updateStatus(resources.deployerRegistration, { ...registration, status: { rollout } });
      await run("deployers");
      await run("deployers -o json");
    } finally {
      await cluster.stop();
    }
  });
});
