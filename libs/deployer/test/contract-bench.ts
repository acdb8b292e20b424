// For the tests of the contract (seed-002): the test plays the Landscaper, on embedded clusters; a deployer made of functions is under test.
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { LandscaperError, type DeployItem } from "@landscaper/api";
import { createLeapingClock } from "@landscaper/testkit";
import type { DeployContext, Deployer, DeleteOutcome, Outcome } from "../src/deployer-interface.ts";
import { defaultTimeoutMs } from "../src/jobs/deadline.ts";
import { never } from "./never.ts";
import { createDeployerFixture, type DeployerFixture, type DeployerScope, type StartedDeployer } from "./index.ts";

export interface Config {
  readonly text?: string;
}

export type Context = DeployContext<Config>;

/** What the deployer under test does; each test writes its own. */
interface Script {
  plan: Deployer<Config>["plan"];
  findWarnings: NonNullable<Deployer<Config>["findWarnings"]>;
  reconcile: (context: Context) => Promise<Outcome>;
  delete: (context: Context) => Promise<DeleteOutcome>;
  leave: (context: Context) => Promise<void>;
}

const type = "landscaper.gardener.cloud/test";
/** Of an item of the deployer under test, whose job takes ten minutes at most: only a leap of the bench's clock reaches that. */
export const spec = { type, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" } };

type StartOptions = Omit<Parameters<DeployerFixture["start"]>[0], "deployer">;

export class ContractBench {
  /** Of all deployers of the bench that have no other one. */
  readonly clock = createLeapingClock();
  script: Script = idleScript();
  /** What the deployer was asked to do: "reconcile item". */
  calls: string[] = [];
  readonly #prefix: string;
  #fixture: DeployerFixture | undefined;
  #scope: DeployerScope | undefined;
  #running: StartedDeployer | undefined;
  #scopes = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  async start(): Promise<void> {
    this.#fixture = await createDeployerFixture();
  }

  async open(): Promise<void> {
    this.calls = [];
    this.script = idleScript();
    this.#scope = await this.fixture.scope(`${this.#prefix}-${++this.#scopes}`);
    this.restart({ identity: "test-1", newJobId: () => "test-job", random: () => 0 });
  }

  async close(): Promise<void> {
    this.fixture.hub.setFault(undefined);
    await this.running.stop();
  }

  /** Another process of the deployer; the one before has stopped. */
  restart(options: StartOptions = {}): void {
    this.#running = this.fixture.start({ deployer: this.#deployer(), clock: this.clock, ...options });
  }

  /** Moves the clock to the end of the running job's time. Returns the item after the job. */
  async timeOut(name = "item"): Promise<DeployItem> {
    this.clock.leap(defaultTimeoutMs);
    return await this.scope.waitForEnd(name);
  }

  get fixture(): DeployerFixture {
    return started(this.#fixture);
  }

  get scope(): DeployerScope {
    return started(this.#scope);
  }

  get running(): StartedDeployer {
    return started(this.#running);
  }

  #deployer(): Deployer<Config> {
    return {
      type,
      name: "test.deployer",
      version: "v1",
      parseConfig: (value, where) => {
        if (typeof value === "object" && value !== null && !("broken" in value)) return value;
        throw new LandscaperError({
          message: `${where}: broken`,
          reason: "InvalidInput",
          codes: ["ERR_CONFIGURATION_PROBLEM"],
          retry: "never",
        });
      },
      findWarnings: (item) => this.script.findWarnings(item),
      plan: (input) => this.script.plan?.(input),
      reconcile: (context) => {
        this.calls.push(`reconcile ${context.item.metadata.name}`);
        return this.script.reconcile(context);
      },
      delete: (context) => {
        this.calls.push(`delete ${context.item.metadata.name}`);
        return this.script.delete(context);
      },
      leave: (context) => {
        this.calls.push(`leave ${context.item.metadata.name}`);
        return this.script.leave(context);
      },
    };
  }
}

function idleScript(): Script {
  return {
    plan: undefined,
    findWarnings: () => [],
    reconcile: () => Promise.resolve({ type: "succeeded" }),
    delete: () => Promise.resolve("done"),
    leave: () => Promise.resolve(),
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("nothing runs outside of tests");
  return part;
}

/** Starts the clusters before the tests of a file; each test has a scope and a process of its own. */
export function useContractBench(prefix: string): ContractBench {
  const bench = new ContractBench(prefix);
  beforeAll(async () => bench.start(), 60_000);
  beforeEach(async () => bench.open());
  afterEach(async () => bench.close());
  afterAll(async () => bench.fixture.stop());
  return bench;
}

/** A promise that the test settles, and the moment when the deployer waits for it. */
export function gate(): {
  readonly entered: Promise<void>;
  readonly open: () => void;
  pass(signal: AbortSignal): Promise<void>;
} {
  let enter = (): void => {};
  let open = (): void => {};
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    entered,
    open,
    pass: (signal) => {
      enter();
      return Promise.race([opened, never(signal)]);
    },
  };
}
