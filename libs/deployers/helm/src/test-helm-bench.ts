// For the tests of this package: two embedded clusters with a helm deployer, and an item "item" in a namespace of its own.
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import {
  kubeResources,
  type ConfigMap,
  type DeployItem,
  type DeployItemSpec,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { createHelmDeployer, type HelmDeployer, type HelmDeployerOptions } from "./index.ts";
import { helmSpec, type ChartFiles } from "./testing.ts";

export type Config = Readonly<Record<string, unknown>>;

export class HelmBench {
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
      spec: { ...helmSpec(this.namespace, config), timeout: "20s", ...more },
    });
  }

  async deploy(config: Config, more: Partial<DeployItemSpec> = {}): Promise<DeployItem> {
    await this.create(config, more);
    return await this.scope.waitForEnd("item");
  }

  async redeploy(config: Config, more: Partial<DeployItemSpec> = {}): Promise<DeployItem> {
    await this.scope.trigger("item", { ...helmSpec(this.namespace, config), ...more });
    return await this.scope.waitForEnd("item");
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

  async exports(): Promise<unknown> {
    const key = { namespace: this.namespace, name: "item-export" };
    const config = (await this.fixture.hubClient.find(kubeResources.secret, key))?.data?.["config"];
    return config === undefined ? undefined : JSON.parse(Buffer.from(config, "base64").toString());
  }
}

let benches = 0;

/** A bench for all tests of a file, with a namespace for each. */
export function useHelmBench(options: Partial<HelmDeployerOptions> = {}): HelmBench {
  const bench = new HelmBench();
  const prefix = `helm-${++benches}`;
  let scopes = 0;
  let deployer: HelmDeployer | undefined;
  beforeAll(async () => {
    await bench.start();
    deployer = createHelmDeployer({ version: "v0.0.0-test", ...options });
    bench.fixture.start({ deployer });
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
