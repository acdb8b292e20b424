import { type Capabilities, formatManifests, type Release, type RenderedChart } from "@landscaper/helm";
import { previewRevision, readCapabilities } from "@landscaper/helm-release";
import { formatResource, type TargetCluster } from "@landscaper/resources";
import { HelmFailure } from "../helm-failure.ts";

/** What --validate asks a cluster. */
interface Validation {
  readonly capabilities: Capabilities;
  /** Asks the API server for each object whether it would take it. Throws HelmFailure that names those that it would not. */
  readonly validate: (rendered: RenderedChart, release: Release) => Promise<void>;
}

/** Reads what a cluster offers, for a chart that is then validated with it. */
export async function startValidation(cluster: TargetCluster, signal: AbortSignal): Promise<Validation> {
  return {
    capabilities: await readCapabilities(cluster, { elapsedMs: performance.now(), signal }),
    validate: async (rendered, release) => {
      const changes = await previewRevision({
        cluster,
        release,
        manifest: formatManifests(rendered),
        record: undefined,
        // As of an upgrade, whose objects are there.
        mayTake: () => release.isUpgrade === true,
        signal,
      });
      const problems = changes.filter(({ type }) => type === "blocked");
      if (problems.length === 0) return;
      const lines = problems.map(({ resource, problem = "" }) => `  ${formatResource(resource)}: ${problem}`);
      throw new HelmFailure(["the cluster would not take what was rendered:", ...lines].join("\n"));
    },
  };
}
