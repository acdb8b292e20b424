// Each request of each operation fails in turn, once, in every way that a cluster can fail; the next tries have to end as an undisturbed one.
import { expect, it } from "@jest/globals";
import type { ReleaseContext } from "./release-context.ts";
import type { ReleaseRecord } from "./records/release-record.ts";
import { finish, releaseAgent, type ReleaseFixture, useReleaseFixture } from "../test/release-fixture.ts";
import { endedRuns, finalState, scenarios, type Scenario } from "../test/scenarios.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

type Rule = NonNullable<Parameters<ReleaseFixture["server"]["setFault"]>[0]>;
type Fault = NonNullable<ReturnType<Rule>>;

const faults: readonly Fault[] = [
  { status: 403 },
  { status: 409 },
  { status: 422 },
  { status: 429 },
  { status: 500 },
  "close",
  "drop-answer",
];
/** The full run meets each request with each fault; else every third request with one of them, in turns. */
const isFull = process.env["E2E_FULL"] === "1";

function faultsAt(number: number, index: number): readonly Fault[] {
  if (isFull) return faults;
  const isChosen = (number + index) % 3 === 0;
  return isChosen ? faults.slice(number % faults.length).slice(0, 1) : [];
}

/** Lets the request of this number (from 0) fail; tells what the requests were. */
function arm(number: number, fault: Fault | undefined): readonly string[] {
  const requests: string[] = [];
  fixture.server.setFault(({ verb, resource, name, userAgent }) => {
    if (!userAgent.startsWith(releaseAgent)) return undefined;
    requests.push(`${verb} ${resource} ${name}`);
    return requests.length === number + 1 ? fault : undefined;
  });
  return requests;
}

interface Try {
  readonly error: Error | undefined;
  /** Names of Jobs that have run. */
  readonly ran: readonly string[];
}

async function attempt(scenario: Scenario, context: ReleaseContext): Promise<Try> {
  const ran: string[] = [];
  try {
    const operation = await scenario.begin(fixture.context(context.name, context.namespace));
    if (operation !== undefined) {
      await finish(operation, async () => void ran.push(...(await fixture.endJobs(context))));
    }
    return { error: undefined, ran };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { error, ran };
  }
}

function isOver({ endsWith }: Scenario, { error }: Try): boolean {
  return endsWith === undefined ? error === undefined : error === undefined || error.message.endsWith(endsWith);
}

async function history({ store }: ReleaseContext): Promise<ReleaseRecord[]> {
  return await store.history({ signal });
}

const maxTries = 4;

/** What failed says which object, and what the server said; the record does not say that all is well. */
async function checkFailure(context: ReleaseContext, { error }: Try, before: readonly ReleaseRecord[]): Promise<void> {
  expect(error?.message).toMatch(/(Secret|ConfigMap|Job) release-\d+\/[-a-z0-9.]+/);
  expect(error?.message).toMatch(
    /fault on purpose: \d+|no answer from|somebody else is at work|no luck|BackoffLimitExceeded/,
  );
  const newest = (await history(context)).at(-1);
  const known = before.at(-1)?.version ?? 0;
  const isTold = newest === undefined || newest.version === known || newest.info.status !== "deployed";
  // An atomic upgrade that was rolled back ends with an error and is deployed.
  const isUndone =
    newest?.info.description.startsWith("Rollback to") === true && error?.message.includes("rolled back");
  expect({ isTold: isTold || isUndone, newest: newest?.info }).toMatchObject({ isTold: true });
}

async function open(scenario: Scenario): Promise<ReleaseContext> {
  const context = await fixture.release("app");
  await scenario.prepare?.(context, fixture);
  return context;
}

async function runWithFault(scenario: Scenario, number: number, fault: Fault): Promise<object> {
  const context = await open(scenario);
  const before = await history(context);
  const requests = arm(number, fault);
  let last = await attempt(scenario, context);
  fixture.server.setFault(undefined);
  const at = { number, fault, request: requests[number], error: last.error?.message };
  if (last.error !== undefined && !isOver(scenario, last)) await checkFailure(context, last, before);
  for (let tries = 1; !isOver(scenario, last); tries++) {
    expect({ ...at, tries, last: last.error?.message, few: tries < maxTries }).toMatchObject({ few: true });
    const left = await history(context);
    last = await attempt(scenario, context);
    const now = (await history(context)).at(-1);
    // Of the operation that is gone on with: what has ended, and is recorded so, does not run again.
    const isSame = now === undefined || now.version === left.at(-1)?.version;
    if (!isSame || scenario.endsWith !== undefined) continue;
    const again = endedRuns(left).filter((hook) => last.ran.includes(hook));
    expect({ ...at, again }).toEqual({ ...at, again: [] });
  }
  return { ...at, state: await finalState(context, fixture) };
}

it.each(scenarios.map((scenario, index) => ({ ...scenario, index })))(
  "$name ends as it should, whatever request fails",
  async ({ index, ...scenario }) => {
    const clean = await open(scenario);
    const requests = arm(-1, undefined);
    const undisturbed = await attempt(scenario, clean);
    fixture.server.setFault(undefined);
    expect(undisturbed.error?.message ?? "").toMatch(new RegExp(`${scenario.endsWith ?? ""}$`));
    const state = await finalState(clean, fixture);
    const count = requests.length;
    expect(count).toBeGreaterThan(10);
    for (let number = 0; number < count; number++) {
      for (const fault of faultsAt(number, index)) {
        const found = await runWithFault(scenario, number, fault);
        expect(found).toEqual({ ...found, state });
      }
    }
  },
  isFull ? 900_000 : 120_000,
);
