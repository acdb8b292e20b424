// Compares reading a graph of component versions from a registry with a loop that only sends the necessary requests: the manifest and the descriptor of each component,
// with as many connections. The loop parses no descriptor and checks no digest, which favours it. Both take turns; the first round only warms up.
// The other figures count requests, which do not depend on the machine.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createComponentSource,
  gatherSupplies,
  keyOfRequest,
  readClosure,
  SuppliesLacking,
  SupplyReader,
  type ComponentFetcher,
  type ComponentSource,
  type Supply,
} from "@landscaper/components";
import { artifactOf, pushArtifact, type TestArtifact, type TestComponent } from "@landscaper/components/testing";
import { createContentCache, createRegistryClient } from "@landscaper/oci";
import { startTestRegistry } from "@landscaper/oci/testing";
import { Pool } from "undici";
import { takeTurns } from "../measure/take-turns.ts";
import { startCountingRegistry, type CountingRegistry } from "./counting-registry.ts";
import { componentGraph, type GraphSize } from "./graph.ts";
import { listOverBudget } from "../measure/judge-figures.ts";
import { timeOf } from "../measure/time-of.ts";

/** Requests of one way to read the graph, to the registry. */
export interface ReadMeasure {
  readonly name: string;
  readonly manifests: number;
  readonly blobs: number;
  /** Of one manifest or blob, at most. */
  readonly most: number;
}

export interface ComponentsBenchmark {
  readonly components: number;
  readonly jobs: number;
  /** Medians. */
  readonly ourMilliseconds: number;
  readonly rawMilliseconds: number;
  readonly ratio: number;
  readonly reads: readonly ReadMeasure[];
  /** Figures that miss what is asked for; empty when all is well. */
  readonly misses: readonly string[];
}

export interface ComponentsOptions {
  readonly size: GraphSize;
  readonly rounds: number;
  /** Jobs at the same time of one component with one credential. */
  readonly jobs: number;
  readonly announce: (line: string) => void;
}

/** To a raw loop, at most. */
export const budgets = { ratio: 1.5 };
/** What sources read at a time, and so the raw loop. */
const connections = 8;
const { signal } = new AbortController();

/** The component and all that it refers to, as a job of the core reads them, without rendering. */
async function readFrom(
  root: TestComponent | undefined,
  { fetcher, host }: { readonly fetcher: ComponentFetcher; readonly host: string },
): Promise<number> {
  if (root === undefined) throw new Error("there is no such component in the graph");
  const selection = {
    root: { name: root.name, version: root.version },
    context: { type: "OCIRegistry", baseUrl: `http://${host}` },
    overwrites: [],
    hasResolvers: false,
  };
  const supplies = new Map<string, Supply>();
  for (;;) {
    try {
      const closure = await readClosure(selection, { supplies: new SupplyReader([...supplies]), where: "bench" });
      return closure.components.length;
    } catch (error) {
      if (!(error instanceof SuppliesLacking)) throw error;
      const lacking = error.requests.filter((request) => !supplies.has(keyOfRequest(request)));
      await gatherSupplies(lacking, { fetcher, supplies, signal });
    }
  }
}

/** Manifest and descriptor of each component, level by level, by what only sends requests. */
async function readRaw(pool: Pool, artifacts: readonly TestArtifact[]): Promise<void> {
  const queue = [...artifacts];
  const get = async (path: string): Promise<Buffer> => {
    const headers = { accept: "application/vnd.oci.image.manifest.v1+json" };
    const { statusCode, body } = await pool.request({ method: "GET", path, headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode}`);
    return bytes;
  };
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const manifest = await get(`/v2/${next.repository}/manifests/${next.tag ?? ""}`);
      // The manifest that was pushed.
      const { layers } = JSON.parse(manifest.toString("utf8")) as { layers: readonly { readonly digest: string }[] };
      await get(`/v2/${next.repository}/blobs/${layers[0]?.digest ?? ""}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

function measureOf(name: string, registry: CountingRegistry): ReadMeasure {
  const counts = [...registry.take()];
  const sum = (kind: string): number =>
    counts.reduce((total, [key, count]) => total + (key.split(" ")[1] === kind ? count : 0), 0);
  const reads = counts.filter(([key]) => key.startsWith("GET "));
  return { name, manifests: sum("manifests"), blobs: sum("blobs"), most: Math.max(0, ...reads.map(([, n]) => n)) };
}

function missesOf({ components, reads, ratio }: Omit<ComponentsBenchmark, "misses">): string[] {
  const [first, second, together] = reads;
  return listOverBudget([
    ["time to a raw loop", ratio, budgets.ratio],
    ["first job: requests for one manifest or descriptor", first?.most ?? Number.NaN, 1],
    ["second job: blobs", second?.blobs ?? Number.NaN, 0],
    ["second job: requests for tags", second?.manifests ?? Number.NaN, components],
    ["jobs together: requests for one blob or manifest", together?.most ?? Number.NaN, 1],
  ]);
}

/** Reads a graph of component versions from a registry (docs/reference/components.md#resolution) beside a loop that only sends the requests. */
export async function benchComponents({
  size,
  rounds,
  jobs,
  announce,
}: ComponentsOptions): Promise<ComponentsBenchmark> {
  const registry = await startTestRegistry();
  const client = createRegistryClient({ userAgent: "bench", maxConnectionsPerHost: connections });
  const folder = await mkdtemp(join(tmpdir(), "landscaper-bench-components-"));
  const counting = await startCountingRegistry(registry.host);
  const pool = new Pool(`http://${registry.host}`, { connections });
  try {
    const graph = componentGraph(size);
    const artifacts = await Promise.all(graph.map(async (component) => artifactOf(component)));
    announce(`${graph.length} components into a registry ...`);
    const place = { baseUrl: `http://${registry.host}`, session: client.session([]) };
    for (const artifact of artifacts) await pushArtifact(artifact, place);
    const rights = { credentials: [], resolvers: [] };
    const uncached = createComponentSource({ registries: client });
    announce("the graph beside a raw loop ...");
    const times = await takeTurns(
      async () => timeOf(async () => readFrom(graph[0], { fetcher: uncached.forJob(rights), host: registry.host })),
      async () => timeOf(async () => readRaw(pool, artifacts)),
      { rounds, milliseconds: 0 },
    );
    const withCache = (name: string): ComponentSource =>
      createComponentSource({
        registries: client,
        cache: createContentCache({ directory: join(folder, name), maxBytes: 2 ** 30 }),
      });
    announce("a first and a second job ...");
    const source = withCache("one");
    const reads: ReadMeasure[] = [];
    for (const name of ["first job", "second job"]) {
      await readFrom(graph[0], { fetcher: source.forJob(rights), host: counting.host });
      reads.push(measureOf(name, counting));
    }
    announce(`${jobs} jobs of one component at the same time ...`);
    const shared = withCache("many");
    const { host } = counting;
    const one = graph.at(-1);
    await Promise.all(
      Array.from({ length: jobs }, async () => readFrom(one, { fetcher: shared.forJob(rights), host })),
    );
    reads.push(measureOf(`${jobs} jobs of one component`, counting));
    const measured = {
      components: graph.length,
      jobs,
      ourMilliseconds: times.ours,
      rawMilliseconds: times.theirs,
      ratio: times.ratio,
      reads,
    };
    return { ...measured, misses: missesOf(measured) };
  } finally {
    await Promise.all([client.close(), pool.close(), counting.stop()]);
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
