import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger, type Client } from "@landscaper/controller-runtime";
import { fromPlain, type GoMap } from "@landscaper/golang";
import {
  chartRecord,
  formatManifests,
  loadChart,
  processDependencies,
  renderChart,
  renderValues,
} from "@landscaper/helm";
import {
  createRollback,
  createUninstall,
  Deployment,
  parseManifests,
  ReleaseStore,
  ReleaseTest,
  type DeploymentContent,
  type DeploymentOptions,
  type ReleaseContext,
  type ReleaseRecord,
  type ReleaseStatus,
  type ReleaseWait,
} from "@landscaper/helm-release";
import { createTargetCluster } from "@landscaper/resources";

const { signal } = new AbortController();

interface Operation {
  advance(signal: AbortSignal): Promise<ReleaseWait | undefined>;
}

export interface OurHelmOptions {
  readonly name: string;
  readonly namespace: string;
  /** Folder of the chart. */
  readonly chart: string;
  /** Called while an operation waits, to play the cluster. */
  readonly meanwhile?: () => Promise<void>;
  /** How long an operation may take (ms). Default 60 s. */
  readonly limitMs?: number;
}

/** Our libraries on a release, as the real command is used. */
export class OurHelm {
  readonly #context: ReleaseContext;
  readonly #chart: string;
  readonly #meanwhile: (() => Promise<void>) | undefined;
  readonly #limitMs: number;

  constructor(client: Client, { name, namespace, chart, meanwhile, limitMs = 60_000 }: OurHelmOptions) {
    this.#limitMs = limitMs;
    this.#meanwhile = meanwhile;
    const store = new ReleaseStore({ client, namespace, name, now: Date.now });
    const log = createLogger({ name: "e2e", level: "silent" });
    this.#context = {
      cluster: createTargetCluster(client),
      store,
      name,
      namespace,
      now: Date.now,
      elapsed: () => performance.now(),
      log,
    };
    this.#chart = chart;
  }

  async history(): Promise<ReleaseRecord[]> {
    return await this.#context.store.history({ signal });
  }

  /** Installs or upgrades. */
  async deploy(values: Readonly<Record<string, unknown>>, options: DeploymentOptions = {}): Promise<void> {
    const history = await this.history();
    await this.#finish(new Deployment(this.#context, await this.#render(values, history), options));
  }

  /** As if an operation had been left half-way an hour ago: longer than anybody's operation may take. */
  async mark(version: number, status: ReleaseStatus): Promise<void> {
    const record = (await this.history()).find((each) => each.version === version);
    if (record === undefined) throw new Error(`there is no revision ${version}`);
    const last_deployed = new Date(Date.now() - 3_600_000).toISOString();
    await this.#context.store.update({ ...record, info: { ...record.info, status, last_deployed } }, { signal });
  }

  async rollback(version: number): Promise<void> {
    const history = await this.history();
    const target = history.find((record) => record.version === version);
    if (target === undefined) throw new Error(`there is no revision ${version}`);
    await this.#finish(createRollback(this.#context, { target, history, options: {} }));
  }

  /** Runs the tests of the last revision. */
  async test(): Promise<void> {
    const last = (await this.history()).at(-1);
    if (last === undefined) throw new Error("there is no revision to test");
    await this.#finish(new ReleaseTest(this.#context, last));
  }

  async uninstall(): Promise<void> {
    await this.#finish(createUninstall(this.#context, await this.history(), { wait: true }));
  }

  async #render(
    given: Readonly<Record<string, unknown>>,
    history: readonly ReleaseRecord[],
  ): Promise<DeploymentContent> {
    const { name, namespace } = this.#context;
    const loaded = await loadChart(this.#chart);
    // An object becomes a map.
    const values = fromPlain(given) as GoMap;
    const chart = processDependencies(loaded, values);
    const rendered = renderChart(chart, {
      values: renderValues(chart, values),
      release: { name, namespace, revision: (history.at(-1)?.version ?? 0) + 1, isUpgrade: history.length > 0 },
      now: () => new Date(),
      random: (bytes) => randomBytes(bytes),
    });
    const crds = await parseManifests(rendered.crds.map(({ data }) => Buffer.from(data).toString("utf8")));
    const { hooks, notes } = rendered;
    return { chart: chartRecord(chart), config: given, manifest: formatManifests(rendered), hooks, notes, crds };
  }

  async #finish(operation: Operation): Promise<void> {
    const end = Date.now() + this.#limitMs;
    for (;;) {
      const waiting = await operation.advance(signal);
      if (waiting === undefined) return;
      if (Date.now() > end) throw new Error(`still waiting for ${waiting.waitingFor.join(", ")}`);
      await this.#meanwhile?.();
      await sleep(50);
    }
  }
}
