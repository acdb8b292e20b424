// For tests of the container deployer on embedded clusters: the test plays the Landscaper, the kubelet, and the init and wait containers.
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import {
  deployerApiVersion,
  kubeResources,
  parseContainerDeployerConfiguration,
  type DeployItem,
  type DeployItemSpec,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "@landscaper/deployer/testing";
import type { ProxyEnvironment } from "@landscaper/egress";
import { PlayedPods } from "./played-pods.ts";
import { createContainerDeployer } from "../src/deployer/container-deployer.ts";
import { readSettings, type ContainerSettings } from "../src/deployer/settings.ts";

interface StartOptions extends Omit<Parameters<DeployerFixture["start"]>[0], "deployer" | "host"> {
  /** Of the process of the deployer. */
  readonly environment?: ProxyEnvironment;
}

export const apiVersion = deployerApiVersion("container");

export function specOf(config: object = {}, more: Partial<DeployItemSpec> = {}): DeployItemSpec {
  const whole = { apiVersion, kind: "ProviderConfiguration", image: "registry.example/program:1", ...config };
  return { type: "landscaper.gardener.cloud/container", timeout: "10m", config: whole, ...more };
}

export function settingsOf(
  configuration: object,
  namespace: string,
  environment: ProxyEnvironment = {},
): ContainerSettings {
  const parsed = parseContainerDeployerConfiguration({ identity: "tests", namespace, ...configuration }, "test");
  const images = { init: "registry.example/init:1", wait: "registry.example/wait:1" };
  return readSettings(parsed, { version: "v0.0.0-test", name: "container", images, environment });
}

export class ContainerBench extends PlayedPods {
  readonly #prefix: string;
  #fixture: DeployerFixture | undefined;
  #scope: DeployerScope | undefined;
  #hostClient: Client | undefined;
  #started: StartedDeployer[] = [];
  #scopes = 0;

  constructor(prefix: string) {
    super();
    this.#prefix = prefix;
  }

  async open(): Promise<void> {
    this.#fixture = await createDeployerFixture();
    const connection = connectionFromKubeconfig(this.#fixture.target.kubeconfig);
    this.#hostClient = createClient({ connection, userAgent: "container.deployer.landscaper.gardener.cloud" });
  }

  async begin(): Promise<void> {
    this.#scope = await this.fixture.scope(`${this.#prefix}-${++this.#scopes}`);
  }

  async end(): Promise<void> {
    this.fixture.hub.setFault(undefined);
    this.fixture.target.setFault(undefined);
    await Promise.all(this.#started.splice(0).map((each) => each.stop()));
  }

  async close(): Promise<void> {
    await this.#hostClient?.close();
    await this.fixture.stop();
  }

  get fixture(): DeployerFixture {
    if (this.#fixture === undefined) throw new Error("nothing runs outside of tests");
    return this.#fixture;
  }

  get scope(): DeployerScope {
    if (this.#scope === undefined) throw new Error("nothing runs outside of tests");
    return this.#scope;
  }

  /** Of the host cluster, with all rights. Its namespace is called like the one of the items. */
  override get host(): Client {
    return this.fixture.targetClient;
  }

  override get namespace(): string {
    return this.scope.namespace;
  }

  /** A process of the deployer. */
  start(configuration: object = {}, { environment, ...options }: StartOptions = {}): StartedDeployer {
    const deployer = createContainerDeployer(settingsOf(configuration, this.scope.namespace, environment));
    const started = this.fixture.start({ deployer, host: this.#hostClient, random: () => 0, ...options });
    this.#started.push(started);
    return started;
  }

  async exportsOf(item: DeployItem): Promise<unknown> {
    const name = item.status?.exportRef?.name;
    if (name === undefined) return undefined;
    const secret = await this.fixture.hubClient.get(kubeResources.secret, { namespace: this.scope.namespace, name });
    return JSON.parse(Buffer.from(secret.data?.["config"] ?? "", "base64").toString());
  }
}

export function useContainerBench(prefix: string): ContainerBench {
  const bench = new ContainerBench(prefix);
  beforeAll(async () => bench.open(), 60_000);
  beforeEach(async () => bench.begin());
  afterEach(async () => bench.end());
  afterAll(async () => bench.close());
  return bench;
}
