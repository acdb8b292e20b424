// For the tests of this package: two embedded clusters with a helm deployer, and an item "item" in a namespace of its own.
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import {
  kubeResources,
  resources,
  type ConfigMap,
  type DeployItem,
  type DeployItemSpec,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { createLeapingClock, waitFor } from "@landscaper/testkit";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { ReleaseStore } from "@landscaper/helm-release";
import { createHelmDeployer, type HelmDeployer, type HelmDeployerOptions } from "../src/index.ts";
import { ChartRenderer } from "../src/rendering/chart-renderer.ts";
import { helmSpec, type ChartFiles } from "./index.ts";

export type Config = Readonly<Record<string, unknown>>;

/** Of all jobs that name no other one; only a leap of the bench's clock reaches it. */
export const jobTimeout = "10m";
const jobTimeoutMs = 600_000;

export class HelmBench {
  /** Of the deployer. */
  readonly clock = createLeapingClock();
  #fixture: DeployerFixture | undefined;
  #scope: DeployerScope | undefined;

  get fixture(): DeployerFixture {
    if (this.#fixture === undefined) throw new Error("the clusters are not started yet");
    return this.#fixture;
  }

  get scope(): DeployerScope {
    if (this.#scope === undefined) throw new Error("there is no scope yet");
    return this.#scope;
  }

  /** Namespace of the item, and of its release. */
  get namespace(): string {
    return this.scope.namespace;
  }

  async start(): Promise<void> {
    this.#fixture = await createDeployerFixture();
  }

  async open(name: string): Promise<void> {
    this.fixture.hub.setFault(undefined);
    this.fixture.target.setFault(undefined);
    this.#scope = await this.fixture.scope(name);
    await this.scope.createTarget();
  }

  async create(config: Config, more: Partial<DeployItemSpec> = {}): Promise<void> {
    await this.scope.create({
      name: "item",
      spec: { ...helmSpec(this.namespace, config), timeout: jobTimeout, ...more },
    });
  }

  async deploy(config: Config, more: Partial<DeployItemSpec> = {}): Promise<DeployItem> {
    await this.create(config, more);
    return await this.scope.waitForEnd("item");
  }

  /** Moves the clock to the end of the running job's time. Returns the item after the job. */
  async timeOut(): Promise<DeployItem> {
    this.clock.leap(jobTimeoutMs);
    return await this.scope.waitForEnd("item");
  }

  /** Deploys what cannot succeed. The time of the job is up once the status has its error. */
  async deployInVain(config: Config): Promise<DeployItem> {
    await this.create(config);
    await this.waitForError();
    return await this.timeOut();
  }

  /** Waits until the status of the item has an error. */
  async waitForError(): Promise<DeployItem> {
    return await this.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
  }

  async redeploy(config: Config, more: Partial<DeployItemSpec> = {}): Promise<DeployItem> {
    await this.scope.trigger("item", { ...helmSpec(this.namespace, config), ...more });
    return await this.scope.waitForEnd("item");
  }

  /** Changes the item while its job runs. */
  async change(config: Config): Promise<void> {
    const { hubClient } = this.fixture;
    await waitFor(async () => {
      const item = await this.scope.get("item");
      const spec = { ...item.spec, ...helmSpec(this.namespace, config) };
      return await hubClient.update(resources.deployItem, { ...item, spec });
    });
  }

  /** `undefined` removes the annotation. */
  async annotate(key: string, value: string | undefined): Promise<void> {
    const body = { metadata: { annotations: { [key]: value ?? null } } };
    const { hubClient } = this.fixture;
    await hubClient.patch(resources.deployItem, { namespace: this.namespace, name: "item" }, { type: "merge", body });
  }

  /** Until a condition of the item says so. */
  async waitForWords(words: string): Promise<void> {
    await this.scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ message }) => message.includes(words)),
    );
  }

  async remove(): Promise<void> {
    await this.scope.remove("item");
    await this.scope.waitUntilGone("item");
  }

  async find<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined> {
    return await this.fixture.targetClient.find(type, { namespace: this.namespace, name });
  }

  async data(name = "app-map"): Promise<ConfigMap["data"]> {
    return (await this.find(kubeResources.configMap, name))?.data;
  }

  /** The records of all releases: name and status. */
  async revisions(): Promise<string[]> {
    const { items } = await this.fixture.targetClient.list(kubeResources.secret, {
      namespace: this.namespace,
      labelSelector: "owner=helm",
    });
    const short = (name = ""): string => name.replace("sh.helm.release.v1.", "");
    return items.map(({ metadata }) => `${short(metadata.name)} ${metadata.labels?.["status"]}`).toSorted();
  }

  /** What the record of release "app" says of a revision. */
  async descriptionOf(revision: number): Promise<string | undefined> {
    const { namespace } = this;
    const store = new ReleaseStore({ client: this.fixture.targetClient, namespace, name: "app", now: Date.now });
    const history = await store.history({ signal: new AbortController().signal });
    return history.find(({ version }) => version === revision)?.info.description;
  }

  async exports(): Promise<unknown> {
    const key = { namespace: this.namespace, name: "item-export" };
    const config = (await this.fixture.hubClient.find(kubeResources.secret, key))?.data?.["config"];
    return config === undefined ? undefined : JSON.parse(Buffer.from(config, "base64").toString());
  }
}

let benches = 0;
/** Of all deployers of this process that have no limits of their own: threads take longer to start than most tests. They end with the process. */
let sharedRenderer: ChartRenderer | undefined;

/** A bench for all tests of a file, with a namespace for each. */
export function useHelmBench(options: Partial<HelmDeployerOptions> = {}): HelmBench {
  const bench = new HelmBench();
  const prefix = `helm-${++benches}`;
  let scopes = 0;
  let deployer: HelmDeployer | undefined;
  beforeAll(async () => {
    await bench.start();
    const renderer = options.rendering === undefined ? (sharedRenderer ??= new ChartRenderer()) : undefined;
    deployer = createHelmDeployer({ version: "v0.0.0-test", renderer, ...options });
    bench.fixture.start({ deployer, clock: bench.clock });
  }, 60_000);
  afterAll(async () => {
    await bench.fixture.stop();
    await deployer?.close();
  });
  beforeEach(() => bench.open(`${prefix}-${++scopes}`));
  afterEach(() => {
    bench.fixture.hub.setFault(undefined);
    bench.fixture.target.setFault(undefined);
  });
  return bench;
}

const configMapTemplate = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-map
data:
  key: {{ .Values.key | quote }}
  upgrade: {{ .Release.IsUpgrade | quote }}
  revision: {{ .Release.Revision | quote }}
`;

/** A chart with one ConfigMap. */
export const mapChart: ChartFiles = { "values.yaml": "key: value\n", "templates/map.yaml": configMapTemplate };
