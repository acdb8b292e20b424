// The process dies at each of its writes in turn: before the write, or when only its answer is lost. The next process has to end what it began.
import { armDeath, deathModesAt, type ArmedDeath, type Death } from "@landscaper/testkit";
import { expect, it } from "@jest/globals";
import type { ReleaseContext } from "./release-context.ts";
import { finish, releaseAgent, useReleaseFixture } from "../test/release-fixture.ts";
import { endedRuns, finalState, isHalfDone, scenarios, type Scenario } from "../test/scenarios.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

type Mode = Death["mode"];

/** From the write of this number (from 0) on nothing leaves the process any more; its writes until then are counted. */
function arm(write: number, mode: Mode): Pick<ArmedDeath, "writes" | "disarm"> & { readonly process: AbortSignal } {
  const process = new AbortController();
  // The answer is lost first, so that the work is done.
  const onDeath = (): void => void setImmediate(() => process.abort(new Error("the process has died")));
  const { writes, disarm } = armDeath([fixture.server], { death: { write, mode }, userAgent: releaseAgent, onDeath });
  return { process: process.signal, writes, disarm };
}

/** The error that a process ends with, and the Jobs that ran meanwhile. */
async function live(
  scenario: Scenario,
  { name, namespace }: ReleaseContext,
  process: AbortSignal,
): Promise<{ problem: string | undefined; ran: string[] }> {
  const ran: string[] = [];
  const context = fixture.context(name, namespace);
  try {
    const operation = await scenario.begin(context);
    if (operation !== undefined) {
      await finish(operation, async () => void ran.push(...(await fixture.endJobs(context))), process);
    }
    return { problem: undefined, ran };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), ran };
  }
}

async function open(scenario: Scenario): Promise<ReleaseContext> {
  const context = await fixture.release("app");
  await scenario.prepare?.(context, fixture);
  return context;
}

async function dieAt(scenario: Scenario, write: number, mode: Mode): Promise<object> {
  const context = await open(scenario);
  const before = await context.store.history({ signal });
  const { process, writes, disarm } = arm(write, mode);
  await live(scenario, context, process);
  disarm();
  const left = await context.store.history({ signal });
  const newest = left.at(-1);
  const at = { write: writes[write], mode, left: left.map(({ version, info }) => `${version} ${info.status}`) };
  const isNew = newest !== undefined && newest.version !== before.at(-1)?.version;
  // Not "deployed" before the last write of all is done.
  if (isNew && write < writes.length - 1)
    expect({ ...at, isHalfDone: isHalfDone(newest) }).toMatchObject({ isHalfDone: true });
  const next = await live(scenario, context, signal);
  const after = (await context.store.history({ signal })).at(-1);
  const isSame = after === undefined || after.version === newest?.version;
  const ended = isSame && scenario.endsWith === undefined ? endedRuns(left) : [];
  expect({ ...at, again: ended.filter((hook) => next.ran.includes(hook)) }).toEqual({ ...at, again: [] });
  return { ...at, state: await finalState(context, fixture) };
}

it.each(scenarios)(
  "$name is ended by the next process, at whatever write the one before has died",
  async (scenario) => {
    const clean = await open(scenario);
    const { process, writes, disarm } = arm(Number.MAX_SAFE_INTEGER, "close");
    const undisturbed = await live(scenario, clean, process);
    disarm();
    expect(undisturbed.problem ?? "").toMatch(new RegExp(`${scenario.endsWith ?? ""}$`));
    const state = await finalState(clean, fixture);
    const count = writes.length;
    expect(count).toBeGreaterThan(5);
    for (let write = 0; write < count; write++) {
      for (const mode of deathModesAt(write)) {
        const found = await dieAt(scenario, write, mode);
        expect(found).toEqual({ ...found, state });
      }
    }
  },
  300_000,
);
