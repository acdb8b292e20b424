import { join } from "node:path";
import { startPodRunner, type PodRunner } from "@landscaper/container-deployer-lib/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { runConfigMapProgram } from "../containers/config-map-program.ts";
import { allScenarios } from "../deployer-conformance/all-scenarios.ts";
import { loadProfile } from "../deployer-conformance/profile.ts";
import { oneOf } from "../deployer-conformance/expectations.ts";
import { formatResult } from "../deployer-conformance/report.ts";
import { rules, secretRule } from "../deployer-conformance/rules.ts";
import type { Run } from "../deployer-conformance/run.ts";
import { listLeftOut, startRun } from "../deployer-conformance/run.ts";
import type { Scenario } from "../deployer-conformance/scenario.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { findForeignImports } from "../src/kits/foreign-imports.ts";
import { casesOfRun, clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";

const folder = join(import.meta.dirname, "../deployer-conformance");
// What the committed profiles say of the instances' selectors.
const config = (kind: string) => ({
  ...(kind === "container" ? { namespace: harnessNamespace } : {}),
  apiVersion: `${kind}.deployer.landscaper.gardener.cloud/v1alpha1`,
  kind: "Configuration",
  targetSelector: [{ targets: [{ name: "target" }] }],
});
/** Fails while the kit's finalizer is on an object of the target, a deletion waits for that, and a job has got the namespace that it waited for. */
const breaksOff: Scenario = {
  id: "Z1",
  title: "fails in the middle",
  contract: "",
  needs: ["succeeds.effects", "mends"],
  async run(place) {
    const other = await place.another();
    await other.start("mends");
    await other.release("mends");
    await place.start("succeeds");
    await place.waitForEnd("Succeeded");
    await place.hold("succeeds", true);
    await place.uninstall();
    await place.waitFor("status.phase", oneOf("InitDelete", "Deleting"));
    throw new Error("this is what it is for");
  },
};
const restart = { command: ["of", "the", "suite"] };
const deployers = [
  { name: "manifest", notApplicable: [] },
  { name: "helm", notApplicable: [] },
  { name: "mock", notApplicable: ["J13", "I4", "D4", "D5", "D7", "G3", "G4", "G5", "P2"] },
  // Its programs use Targets.
  { name: "container", notApplicable: ["G3"] },
] as const;
/** In `npm test` a third of them, another one with each commit. */
const scenarios = casesOfRun("deployer-conformance", allScenarios);
const services = deployers.map(({ name }) => `${name}-deployer` as const);

describe.each(clustersUnderTest())("the deployer conformance kit on %s", (cluster) => {
  let environment: Environment;
  let pods: PodRunner;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services,
      configs: Object.fromEntries(deployers.map(({ name }) => [`${name}-deployer`, config(name)])),
      // What a former process without Lease had in work is carried on after one of these.
      args: Object.fromEntries(services.map((service) => [service, ["--lease-duration=15s"]])),
      separateTarget: false,
    });
    const { client, hub } = environment;
    const { url: server, ca } = hub;
    pods = startPodRunner({ client, server, ca, namespace: harnessNamespace, program: runConfigMapProgram });
  });
  afterAll(async () => {
    await pods.stop();
    await environment.stop();
  });

  describe.each(deployers)("passes the $name deployer, which", ({ name, notApplicable }) => {
    const leases = { namespace: "landscaper-e2e" };
    const committed = loadProfile(join(folder, `profiles/${name}.yaml`));
    // Only a failure waits so long. The times of the profiles are for a machine that does nothing else.
    const seconds = { ...committed.seconds, pickup: 40, work: 80 };
    const profile = { ...committed, seconds, restart, leases };
    const leftOut = listLeftOut(profile);
    const judged = scenarios.filter(({ id }) => leftOut.every((each) => each.id !== id));
    let run: Run;
    beforeAll(() => {
      const deployer = environment.service(`${name}-deployer`);
      run = startRun({
        profile,
        scenarios,
        kubeconfig: environment.targetKubeconfig,
        restart: async () => {
          await deployer.kill();
          await deployer.start();
        },
      });
    });
    afterAll(async () => void (await run.ended));

    it.each([...judged, ...rules, secretRule])("$id $title", async ({ id }) => {
      const result = await run.results.find((each) => each.id === id)?.result;
      expect(result && result.outcome !== "passed" ? formatResult(result) : result?.outcome).toBe("passed");
    });

    it(`is judged by all scenarios but ${notApplicable.length} that do not apply to it`, () => {
      expect(leftOut.filter(({ outcome }) => outcome === "not judged")).toEqual([]);
      expect(leftOut.map(({ id }) => id)).toEqual(notApplicable);
    });

    it("leaves no namespace behind", async () => {
      expect(await run.ended).toEqual([]);
    });
  });

  it("runs no program of a container item twice in a Pod", () => {
    const names = pods.started.map(({ pod }) => pod);
    expect(names.length).toBeGreaterThan((50 * scenarios.length) / allScenarios.length);
    expect(new Set(names).size).toBe(names.length);
  });

  it("leaves no namespace behind when a scenario fails in the middle", async () => {
    const profile = loadProfile(join(folder, "profiles/manifest.yaml"));
    const run = startRun({ profile, kubeconfig: environment.targetKubeconfig, scenarios: [breaksOff] });
    const result = await run.results[0]?.result;
    expect(result?.detail).toBe("the scenario could not be played: this is what it is for");
    expect(await run.ended).toEqual([]);
  });
});

describe("the deployer conformance kit", () => {
  it("knows nothing of our code but the Kubernetes client, and the parser of profiles", () => {
    const { files, foreign } = findForeignImports(folder);
    expect(files.length).toBeGreaterThan(20);
    expect(foreign).toEqual(["profile.ts: @landscaper/api"]);
  });

  it("has an ID for each scenario and rule", () => {
    const ids = [...allScenarios, ...rules, secretRule].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
