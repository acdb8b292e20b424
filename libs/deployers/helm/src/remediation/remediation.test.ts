// Attempts that fail, and what is done about them, on the embedded server.
import { describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { mapChart, useHelmBench, type Config } from "../../test/helm-bench.ts";
import { helmSpec, rawChart } from "../../test/index.ts";

const bench = useHelmBench();

/** The target refuses its name, after what comes before it. */
const refused = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: UPPER }\n";
const early = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: early }\ndata: { key: early }\n";
const good = { chart: await rawChart(mapChart) };
const badChart = { chart: await rawChart({ ...mapChart, "templates/early.yaml": early, "templates/z.yaml": refused }) };

function config(base: Config, helmDeploymentConfig: object): Config {
  return { ...base, helmDeploymentConfig };
}

function specOf(changed: Config): ReturnType<typeof helmSpec> {
  return helmSpec(bench.namespace, changed);
}

function messageOf({ status }: DeployItem): string {
  return status?.lastError?.message ?? "";
}

describe("an upgrade that fails", () => {
  it("is tried again under its number, then rolled back; so it is by the next job", async () => {
    await bench.deploy(good);
    const bad = config(badChart, { upgrade: { remediation: { retries: 1 } } });
    const done = await bench.redeploy(bad);
    expect(done.status?.phase).toBe("Failed");
    expect(messageOf(done)).toMatch(
      /ConfigMap .*UPPER.*; after 2 failed attempts the release was rolled back to revision 1$/s,
    );
    expect(done.status?.lastErrors?.map(({ message }) => /\(attempt \d of \d\)$/.exec(message)?.[0])).toEqual([
      "(attempt 1 of 2)",
      undefined,
    ]);
    expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 failed", "app.v3 deployed"]);
    expect([(await bench.data())?.["revision"], await bench.data("early")]).toEqual(["1", undefined]);
    expect(done.status?.providerStatus?.["attempts"]).toMatchObject({
      failed: 2,
      remedy: { type: "rollback", to: 1, revision: 3 },
    });
    const again = await bench.redeploy(bad);
    expect(messageOf(again)).toContain("after 2 failed attempts the release was rolled back to revision 3");
    expect((await bench.revisions()).slice(3)).toEqual(["app.v4 failed", "app.v5 deployed"]);
    const corrected = await bench.redeploy({ ...good, values: { key: "next" } });
    expect([corrected.status?.phase, (await bench.data())?.["key"]]).toEqual(["Succeeded", "next"]);
    expect(corrected.status?.providerStatus).not.toHaveProperty("attempts");
  });

  it.each([
    [
      "is uninstalled",
      { retries: 0, strategy: "uninstall", remediateLastFailure: true },
      "the release was uninstalled",
      [],
    ],
    ["is left", { retries: 0 }, "the release is left as it is", ["app.v1 deployed", "app.v2 failed"]],
  ])("%s where that is wanted", async (...[, remediation, words, revisions]) => {
    await bench.deploy(good);
    const done = await bench.redeploy(config(badChart, { upgrade: { remediation } }));
    expect(messageOf(done)).toMatch(new RegExp(`after 1 failed attempt ${words}$`));
    expect(await bench.revisions()).toEqual(revisions);
    await bench.remove();
    expect([await bench.revisions(), await bench.data()]).toEqual([[], undefined]);
  });

  it("counts anew when its configuration changes in the middle", async () => {
    await bench.deploy(good);
    const remediation = { retries: 5 };
    await bench.scope.trigger("item", specOf(config(badChart, { upgrade: { remediation } })));
    await bench.scope.waitFor("item", ({ lastError }) => lastError?.message.includes("(attempt 1 of 6)") === true);
    const changed = config({ ...badChart, values: { key: "other" } }, { upgrade: { remediation: { retries: 1 } } });
    await bench.change(changed);
    const done = await bench.scope.waitForEnd("item");
    expect(messageOf(done)).toContain("after 2 failed attempts the release was rolled back to revision 1");
  });

  it("by taking too long is rolled back, too", async () => {
    await bench.deploy(good);
    const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: registry.example.org/c }] }
`;
    const slow = { chart: await rawChart({ ...mapChart, "templates/web.yaml": deployment }) };
    const upgrade = { wait: true, timeout: "5m", remediation: { remediateLastFailure: true } };
    const redeployed = bench.redeploy(config(slow, { upgrade }));
    await bench.waitForWords("Deployment");
    bench.clock.leap(5 * 60_000);
    const done = await redeployed;
    expect(messageOf(done)).toMatch(
      /^timed out after 5m0s waiting for Deployment .*web.*; after 1 failed attempt the release was rolled back to revision 1$/s,
    );
    expect(done.status?.lastError?.reason).toBe("ReleaseTimeout");
    expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 failed", "app.v3 deployed"]);
    expect(await bench.descriptionOf(2)).toMatch(/^Upgrade "app" failed: timed out after 5m0s waiting for /);
  });

  it("is undone by atomic, where both are wanted", async () => {
    await bench.deploy(good);
    const done = await bench.redeploy(config(badChart, { upgrade: { atomic: true, remediation: { retries: 5 } } }));
    expect(messageOf(done)).toMatch(/; the release was rolled back to revision 1$/);
    expect(messageOf(done)).not.toContain("attempt");
  });

  it("and whose rollback fails says both, and the rollback is tried again under its number", async () => {
    await bench.deploy(good);
    let isRefusing = true;
    bench.fixture.target.setFault(({ verb, resource }) =>
      isRefusing && verb === "delete" && resource === "configmaps" ? { status: 403 } : undefined,
    );
    const upgrade = { remediation: { remediateLastFailure: true } };
    await bench.scope.trigger("item", specOf(config(badChart, { upgrade })));
    const failing = await bench.scope.waitFor(
      "item",
      ({ lastError }) => lastError?.message.includes("as well") === true,
    );
    expect(messageOf(failing)).toMatch(/UPPER.*; rolling back to revision 1 failed as well: .*early/s);
    isRefusing = false;
    const done = await bench.scope.waitForEnd("item");
    expect(messageOf(done)).toMatch(/UPPER.*; after 1 failed attempt the release was rolled back to revision 1$/s);
    expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 failed", "app.v3 deployed"]);
  });

  it.each(["interrupted", "late"])("and whose rollback is %s is not left pending", async (how) => {
    const hook = `apiVersion: batch/v1
kind: Job
metadata: { name: before, annotations: { helm.sh/hook: pre-rollback } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: registry.example.org/c }] } } }
`;
    await bench.deploy({ chart: await rawChart({ ...mapChart, "templates/hook.yaml": hook }) });
    const upgrade = { remediation: { remediateLastFailure: true } };
    await bench.scope.trigger("item", specOf(config(badChart, { upgrade })));
    await bench.waitForWords("pre-rollback hook Job");
    if (how === "interrupted") await bench.scope.interrupt("item");
    const ended = how === "late" ? await bench.timeOut() : await bench.scope.waitForEnd("item");
    expect(ended.status?.phase).toBe("Failed");
    await waitFor(async () => (await bench.revisions()).at(-1) === "app.v3 failed");
    expect(await bench.descriptionOf(3)).toMatch(/^Rollback "app" failed: .*pre-rollback hook Job/);
  });
});

describe("an install that fails", () => {
  it("is uninstalled before it is tried again, and is an install again", async () => {
    let refusals = 0;
    bench.fixture.target.setFault(({ verb, resource }) => {
      if (verb !== "create" || resource !== "configmaps" || refusals >= 1) return undefined;
      refusals++;
      return { status: 403 };
    });
    await bench.create(config(good, { install: { remediation: { retries: 2 } } }));
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, refusals, await bench.revisions()]).toEqual(["Succeeded", 1, ["app.v1 deployed"]]);
    expect(await bench.data()).toEqual({ key: "value", upgrade: "false", revision: "1" });
    expect(done.status?.providerStatus).not.toHaveProperty("attempts");
  });

  it.each([
    ["left", {}, "the release is left as it is", ["app.v1 failed"]],
    ["uninstalled", { remediateLastFailure: true }, "the release was uninstalled", []],
  ])("is %s in the end", async (...[, remediation, words, revisions]) => {
    const install = { remediation: { retries: 1, ...remediation } };
    const done = await bench.deploy(config(badChart, { install }));
    expect(messageOf(done)).toMatch(new RegExp(`UPPER.*; after 2 failed attempts ${words}$`, "s"));
    expect(await bench.revisions()).toEqual(revisions);
    expect(await bench.data("early")).toEqual(revisions.length === 0 ? undefined : { key: "early" });
    const corrected = await bench.redeploy(config(good, { install }));
    // It began anew.
    expect([corrected.status?.phase, await bench.revisions()]).toEqual(["Succeeded", ["app.v1 deployed"]]);
    expect(await bench.data("early")).toBeUndefined();
  });
});
