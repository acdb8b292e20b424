// For the tests of this package: two embedded clusters with a manifest deployer, and a namespace with a Target for each test.
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { kubeResources, type ConfigMap, type DeployItem } from "@landscaper/api";
import { createFakeClock, createLeapingClock, type FakeClock } from "@landscaper/testkit";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "@landscaper/deployer/testing";
import { createManifestDeployer } from "../src/index.ts";
import { specOf } from "./manifests.ts";

/** Of all jobs that name no other one; only a leap of the bench's clock reaches it. */
const jobTimeoutMs = 600_000;

export class ManifestBench {
  /** Of a deployer whose clock the test does not move step by step. */
  readonly #leapingClock = createLeapingClock();
  #fixture: DeployerFixture | undefined;
  #scope: DeployerScope | undefined;
  #running: StartedDeployer | undefined;
  #clock: FakeClock | undefined;

  get fixture(): DeployerFixture {
    return there(this.#fixture, "fixture");
  }

  get scope(): DeployerScope {
    return there(this.#scope, "scope");
  }

  get running(): StartedDeployer {
    return there(this.#running, "deployer");
  }

  /** Of a bench that is to have one. */
  get clock(): FakeClock {
    return there(this.#clock, "clock");
  }

  /** Of the item and its objects. */
  get n(): string {
    return this.scope.namespace;
  }

  async startClusters(): Promise<void> {
    this.#fixture = await createDeployerFixture();
  }

  startDeployer(options: { readonly isClockMoved: boolean }): void {
    this.#clock = options.isClockMoved ? createFakeClock(Date.now()) : undefined;
    const deployer = createManifestDeployer("v0.0.0-test");
    this.#running = this.fixture.start({ deployer, clock: this.#clock ?? this.#leapingClock, random: () => 0 });
  }

  async openScope(name: string): Promise<void> {
    this.#scope = await this.fixture.scope(name);
    await this.scope.createTarget();
  }

  clearFaults(): void {
    this.fixture.hub.setFault(undefined);
    this.fixture.target.setFault(undefined);
  }

  async deploy(name: string, ...[manifests, config]: Parameters<typeof specOf>): Promise<DeployItem> {
    await this.scope.create({ name, spec: specOf(manifests, config) });
    return await this.scope.waitForEnd(name);
  }

  /** Moves the clock to the end of the running job's time. Returns the item after the job. */
  async timeOut(name: string): Promise<DeployItem> {
    this.#leapingClock.leap(jobTimeoutMs);
    return await this.scope.waitForEnd(name);
  }

  /** Moves the clock forward, of a bench whose clock the test does not move step by step. */
  leap(ms: number): void {
    this.#leapingClock.leap(ms);
  }

  async find(name: string): Promise<ConfigMap | undefined> {
    return await this.fixture.targetClient.find(kubeResources.configMap, { namespace: this.n, name });
  }

  /** Somebody else's change of a ConfigMap. */
  async edit(name: string, body: unknown): Promise<void> {
    const patch = { type: "merge", body, fieldManager: "kubectl-edit" } as const;
    await this.fixture.targetClient.patch(kubeResources.configMap, { namespace: this.n, name }, patch);
  }
}

function there<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`there is no ${what} yet`);
  return value;
}

/** A bench for all tests of a file. With a clock that the test moves each test has a deployer of its own. */
export function useManifestBench(prefix: string, { isClockMoved = false } = {}): ManifestBench {
  const bench = new ManifestBench();
  let scopes = 0;
  beforeAll(async () => {
    await bench.startClusters();
    if (!isClockMoved) bench.startDeployer({ isClockMoved });
  }, 60_000);
  afterAll(() => bench.fixture.stop());
  beforeEach(async () => {
    await bench.openScope(`${prefix}-${++scopes}`);
    if (isClockMoved) bench.startDeployer({ isClockMoved });
  });
  afterEach(async () => {
    bench.clearFaults();
    if (isClockMoved) await bench.running.stop();
  });
  return bench;
}
