import { LandscaperError } from "@landscaper/api";
import { nameOf } from "../object-reading.ts";
import type { NameFilter } from "./name-filter.ts";
import { needsKubeconfig, type MadeObjects, type SourceEntry } from "./plan-sync.ts";
import type { SourceCluster } from "./source-cluster.ts";
import { kubeconfigKey } from "./source-kubeconfig.ts";

export interface SourceReading {
  readonly entries: readonly SourceEntry[];
  readonly errors: readonly LandscaperError[];
}

export interface ReadSourceOptions {
  readonly source: SourceCluster;
  readonly filter: NameFilter;
  readonly made: MadeObjects;
  readonly nowMs: number;
}

/** The clusters that the source has. Throws LandscaperError when it cannot be asked at all. */
export async function readSource(options: ReadSourceOptions): Promise<SourceReading> {
  switch (options.filter.mode) {
    case "none":
      return { entries: [], errors: [] };
    case "secrets":
      return { entries: await readSecrets(options), errors: [] };
    case "shoots":
      return readShoots(options);
  }
}

async function readSecrets({ source, filter }: ReadSourceOptions): Promise<readonly SourceEntry[]> {
  const secrets = await source.listSecrets();
  return secrets
    .filter((secret) => filter.matches(nameOf(secret)))
    .map((secret) => ({ name: nameOf(secret), content: { type: secret.type, data: secret.data ?? {} } }));
}

async function readShoots(options: ReadSourceOptions): Promise<SourceReading> {
  const { source, filter, made, nowMs } = options;
  const names = (await source.listShoots()).map(nameOf).filter((name) => filter.matches(name));
  const errors: LandscaperError[] = [];
  const entries = await Promise.all(
    names.map(async (name): Promise<readonly SourceEntry[]> => {
      if (!needsKubeconfig(name, made, nowMs)) return [{ name }];
      try {
        const kubeconfig = await source.requestKubeconfig(name);
        const content = { type: "Opaque", data: { [kubeconfigKey]: kubeconfig } };
        return [{ name, content, syncedAt: new Date(nowMs) }];
      } catch (error) {
        if (!(error instanceof LandscaperError)) throw error;
        errors.push(error);
        // What is there already may still work for half of its life.
        return [];
      }
    }),
  );
  return { entries: entries.flat(), errors };
}
