// For the tests of operation "plan": the test plays Landscaper and user, a deployer made of functions is under test.
import { kubeResources, LandscaperError, resources, type ContinuousReconcile } from "@landscaper/api";
import type { DeployItem, Secret } from "@landscaper/api";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import type { DeployContext, Deployer, Outcome, Preview, PreviewContext } from "../src/deployer-interface.ts";
import { createDeployerFixture, type DeployerFixture, type DeployerScope, type StartedDeployer } from "./index.ts";

interface Config {
  readonly continuousReconcile?: ContinuousReconcile;
  readonly text?: string;
}

export const type = "landscaper.gardener.cloud/test";
export const config = { apiVersion: "test/v1", kind: "ProviderConfiguration" };
export const spec = { type, config };
export const operation = "landscaper.gardener.cloud/operation";
/** What the deployer says unless a test has it say something else. */
export const answer: Preview = {
  summary: "1 to\ncreate",
  text: "create it\n1 to create\n",
  changes: [{ type: "create" }],
};

type Condition = NonNullable<NonNullable<DeployItem["status"]>["conditions"]>[number];

export function planned({ status }: DeployItem): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === "Planned");
}

export const isAsked = ({ metadata }: DeployItem): boolean =>
  metadata.annotations?.[operation]?.startsWith("plan") === true;

export function decode(secret: Secret | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? "", "base64").toString();
}

/** All but the condition: no plan may change it. */
export function restOf(item: DeployItem): unknown {
  const { conditions = [], ...rest } = item.status ?? {};
  return { ...rest, conditions: conditions.filter((condition) => condition.type !== "Planned"), spec: item.spec };
}

let scopes = 0;

/** Hub and target of a file, and one deployer; `open` and `close` around each test. */
export class PreviewBench {
  readonly fixture: DeployerFixture;
  scope: DeployerScope;
  clock = createFakeClock(Date.now());
  started: StartedDeployer[] = [];
  /** What the deployer was called for, by items of the present test. */
  calls: string[] = [];
  reconcile: (context: DeployContext<Config>) => Promise<Outcome> = succeed;
  preview: (context: PreviewContext<Config>) => Promise<Preview> = say;

  private constructor(fixture: DeployerFixture, scope: DeployerScope) {
    this.fixture = fixture;
    this.scope = scope;
  }

  static async create(): Promise<PreviewBench> {
    const fixture = await createDeployerFixture();
    return new PreviewBench(fixture, await fixture.scope("unused"));
  }

  async open(): Promise<void> {
    this.calls = [];
    this.reconcile = succeed;
    this.preview = say;
    this.scope = await this.fixture.scope(`preview-${++scopes}`);
    this.clock = createFakeClock(Date.now());
    this.started = [this.fixture.start({ deployer: this.deployerOf(), clock: this.clock, random: () => 0 })];
  }

  async close(): Promise<void> {
    this.fixture.hub.setFault(undefined);
    await Promise.all(this.started.map((each) => this.stop(each)));
  }

  /** What is in work may go on for a second of the clock that the tests turn. */
  async stop(deployer: StartedDeployer | undefined): Promise<void> {
    const stopped = deployer?.stop();
    await this.clock.advance(1000);
    await stopped;
  }

  deployerOf(pod?: string): Deployer<Config> {
    const isOurs = ({ item }: PreviewContext<Config>): boolean => item.metadata.namespace === this.scope.namespace;
    const tell = (what: string): void => void this.calls.push(pod === undefined ? what : `${what} by ${pod}`);
    return {
      type,
      name: "test.deployer",
      planOperations: ["plan-helm-4"],
      version: "v1",
      parseConfig: (value, where) => {
        const parsed = value as Config;
        if (parsed.text !== "unreadable") return parsed;
        const codes = ["ERR_CONFIGURATION_PROBLEM"] as const;
        throw new LandscaperError({ message: `${where}: text: unreadable`, reason: "InvalidInput", codes });
      },
      reconcile: async (context) => {
        if (!isOurs(context)) return await succeed();
        tell("reconcile");
        return await this.reconcile(context);
      },
      delete: () => {
        tell("delete");
        return Promise.resolve("done");
      },
      continuousReconcile: ({ continuousReconcile }) => continuousReconcile,
      maintain: async () => {
        tell("maintain");
        return await succeed();
      },
      preview: async (context) => {
        // Items of earlier tests go on, too.
        if (!isOurs(context)) return answer;
        tell("preview");
        return await this.preview(context);
      },
    };
  }

  keyOf(name: string): { readonly namespace: string; readonly name: string } {
    return { namespace: this.scope.namespace, name };
  }

  async createItem(changes: Partial<DeployItem["spec"]> = {}): Promise<DeployItem> {
    await this.scope.create({ name: "item", spec: { ...spec, ...changes } });
    const item = await this.scope.waitForEnd("item");
    this.calls = [];
    return item;
  }

  async annotate(value: string | null, name = "item"): Promise<void> {
    const body = { metadata: { annotations: { [operation]: value } } };
    await this.fixture.hubClient.patch(resources.deployItem, this.keyOf(name), { type: "merge", body });
  }

  /** The item once the request is answered. */
  async untilAnswered(name = "item"): Promise<DeployItem> {
    return await waitFor(async () => {
      const item = await this.scope.get(name);
      return isAsked(item) ? undefined : item;
    });
  }

  async plan(name = "item"): Promise<DeployItem> {
    await this.annotate("plan", name);
    return await this.untilAnswered(name);
  }

  /** The item once its condition has this status; undefined = it has none. */
  async untilPlanned(status: string | undefined, name = "item"): Promise<DeployItem> {
    return await waitFor(async () => {
      const item = await this.scope.get(name);
      return planned(item)?.status === status ? item : undefined;
    });
  }

  /** Lets the pauses between attempts pass. */
  async untilGivenUp(): Promise<DeployItem> {
    return await waitFor(
      async () => {
        await this.clock.advance(5000);
        const item = await this.scope.get("item");
        return isAsked(item) ? undefined : item;
      },
      { evenly: true },
    );
  }

  async findPlan(name = "item-plan"): Promise<Secret | undefined> {
    return await this.fixture.hubClient.find(kubeResources.secret, this.keyOf(name));
  }
}

function succeed(): Promise<Outcome> {
  return Promise.resolve({ type: "succeeded" });
}

function say(): Promise<Preview> {
  return Promise.resolve(answer);
}
