// Kit of the suites about mistakes: makes the mistakes of some areas, and compares the outputs that users read with the list of incomplete explanations.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ArtifactRegistry } from "@landscaper/components/testing";
import { startPodRunner, type PodRunner, type PodRunnerOptions } from "@landscaper/container-deployer-lib/testing";
import { runScript } from "../../containers/scripted-program.ts";
import { clustersUnderTest } from "../clusters/selected-clusters.ts";
import { harnessNamespace } from "../clusters/service-token.ts";
import { startEnvironment, type Environment } from "../services/environment.ts";
import { makeMistakes } from "./make-mistakes.ts";
import type { Mistake } from "./mistake.ts";
import { startMistakeRegistry } from "./mistake-registry.ts";
import { mistakesOn } from "./table/all.ts";
import { allowedImages, findImageFailure, scriptOf } from "./table/containers.ts";
import { incomplete } from "./table/incomplete.ts";

const complete = { score: 2, lacks: [] };
const services = ["landscaper-core", "manifest-deployer", "helm-deployer", "mock-deployer"] as const;

/** Describes the mistakes of these areas on each cluster that is under test. */
export function describeMistakes(areas: readonly Mistake["area"][]): void {
  describe.each(clustersUnderTest())("after a mistake on %s", (cluster) => {
    const made = mistakesOn(cluster).filter(({ area }) => areas.includes(area));
    const runsPods = made.some(({ area }) => area === "containers");
    let environment: Environment;
    let registry: ArtifactRegistry;
    let pods: PodRunner | undefined;
    let folder: string;
    let judged: ReturnType<typeof makeMistakes> = new Map();
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "mistakes-"));
      const kubeconfig = join(folder, "kubeconfig");
      registry = await startMistakeRegistry();
      environment = await startEnvironment({
        cluster,
        services: runsPods ? [...services, "container-deployer"] : services,
        configs: {
          // An item that no deployer takes fails after this time, instead of five minutes.
          "landscaper-core": { deployItemTimeouts: { pickup: "60s" } },
          "container-deployer": { namespace: harnessNamespace, allowedImages, pod: { startGrace: "1s" } },
        },
        workloads: true,
      });
      writeFileSync(kubeconfig, environment.hub.kubeconfig, { mode: 0o600 });
      const { client, hub } = environment;
      const program: Pick<PodRunnerOptions, "program" | "findStartFailure"> = {
        program: async (context) => await runScript(scriptOf(context.image), context),
        findStartFailure: findImageFailure,
      };
      const host = { client, server: hub.url, ca: hub.ca, namespace: harnessNamespace };
      pods = runsPods ? startPodRunner({ ...host, ...program }) : undefined;
      judged = makeMistakes(made, { environment, kubeconfig, registry: registry.origin });
    });
    afterAll(async () => {
      await Promise.allSettled(judged.values());
      await pods?.stop();
      await environment.stop();
      await registry.stop();
      rmSync(folder, { recursive: true });
    });

    it.each(made)("$area: $title", async ({ title }) => {
      const { verdict, outputs } = (await judged.get(title)) ?? { verdict: undefined, outputs: {} };
      const isAsListed = JSON.stringify(verdict) === JSON.stringify(incomplete[title] ?? complete);
      // The outputs show which words are missing.
      expect({ verdict, outputs: isAsListed ? {} : outputs }).toEqual({
        verdict: incomplete[title] ?? complete,
        outputs: {},
      });
    });
  });
}
