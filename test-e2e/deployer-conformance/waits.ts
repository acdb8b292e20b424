import { setTimeout as sleep } from "node:timers/promises";
import { isFinal } from "../src/kits/contract-names.ts";
import type { Item } from "../src/kits/plain-api.ts";
import { describeChanges, listChanges } from "./changes.ts";
import type { Expected } from "./expectations.ts";
import { Deviation, expectThat, fieldOf, oneOf, show } from "./expectations.ts";
import type { Write } from "./item-history.ts";
import type { Scene } from "./scene.ts";
import { itemName } from "./scene.ts";

const pauseMs = 15;

export interface WaitOptions {
  readonly name?: string | undefined;
  /** By default what the profile gives for work. */
  readonly seconds?: number;
}

/** Waiting for what the deployer writes, and for it to write nothing. All of it by a watch: no requests while time passes. */
export interface Waits {
  sleep(seconds: number): Promise<void>;
  /** Waits until the field is as expected. */
  waitFor(path: string, expected: Expected, options?: WaitOptions): Promise<Item>;
  /** Waits until somebody has the job in work, or it has ended already. */
  waitForPickup(name?: string): Promise<Item>;
  /** Waits until no job is open, and expects this phase. */
  waitForEnd(phase: string, name?: string): Promise<Item>;
  waitUntilGone(name?: string): Promise<void>;
  /** Expects that for the profile's quiet time the deployer writes nothing to the item. */
  expectQuiet(why: string, name?: string): Promise<void>;
  /** Expects that for the profile's quiet time the deployer writes no more than conditions: it may say what it has put right. */
  expectNoReport(why: string): Promise<void>;
  /** All writes of the deployer to the item up to now. */
  writes(name?: string): Promise<readonly Write[]>;
}

const isInWork: Expected = {
  words: "a job that somebody has picked up",
  holds: (status) => {
    const { phase = "", jobID, jobIDFinished } = Object(status) as Partial<Record<string, string>>;
    return jobIDFinished === jobID || (phase !== "" && !isFinal(phase));
  },
};

const statusText = (item: Item | undefined): string =>
  item === undefined ? "no such item" : JSON.stringify({ ...item.status, conditions: undefined });

const textOf = ({ isGone, before, after }: Write): string =>
  isGone ? "the item gone" : describeChanges(before, after);

function changesConditionsOnly({ isGone, before, after }: Write): boolean {
  return !isGone && listChanges(before, after).every(({ path }) => path === "status.conditions");
}

export function createWaits({ api, history, namespace, landscape }: Scene): Waits {
  const { pickup, work, quiet } = landscape.profile.seconds;
  const where = (name: string): string => `DeployItem ${namespace}/${name}`;

  async function poll(isMet: () => boolean, seconds: number, failure: () => string): Promise<void> {
    const deadline = performance.now() + seconds * 1000;
    while (!isMet()) {
      if (performance.now() > deadline) throw new Deviation(failure());
      await sleep(pauseMs);
    }
  }

  /** Until then the history has everything that was written before. */
  async function catchUp(name: string): Promise<void> {
    const live = await api.find("DeployItem", name);
    const isThere = (): boolean =>
      live === undefined ? history.current(name) === undefined : !Number.isNaN(history.arrivalOf(live));
    await poll(isThere, 20, () => `${where(name)}: the watch lags behind; is the machine overloaded?`);
  }

  async function writesWhileQuiet(name: string): Promise<readonly Write[]> {
    const before = (await waits.writes(name)).length;
    await sleep(quiet * 1000);
    return (await waits.writes(name)).slice(before);
  }

  const waits: Waits = {
    sleep: async (seconds) => sleep(seconds * 1000),
    async waitFor(path, expected, { name = itemName, seconds = work } = {}) {
      const find = (): Item | undefined => {
        const item = history.current(name);
        return item !== undefined && expected.holds(fieldOf(item, path)) ? item : undefined;
      };
      await poll(
        () => find() !== undefined,
        seconds,
        () => {
          const item = history.current(name);
          const found = `${where(name)}, ${path}: expected ${expected.words} within ${seconds} s`;
          return `${found}, found ${item === undefined ? "no item" : show(fieldOf(item, path))}\nstatus: ${statusText(item)}`;
        },
      );
      return find() ?? api.get("DeployItem", name);
    },
    async waitForPickup(name = itemName) {
      await catchUp(name);
      return waits.waitFor("status", isInWork, { name, seconds: pickup });
    },
    async waitForEnd(phase, name = itemName) {
      const { status } = await api.get("DeployItem", name);
      const ended = await waits.waitFor("status.jobIDFinished", oneOf(status?.jobID), { name, seconds: pickup + work });
      const found = ended.status?.phase;
      const lastError = show(ended.status?.lastError);
      const what = `${where(name)}, status.phase: expected ${show(phase)}, found ${show(found)}`;
      expectThat(found === phase, `${what}\nlastError: ${lastError}`);
      return ended;
    },
    async waitUntilGone(name = itemName) {
      const seconds = pickup + work;
      // An item whose news has not come yet looks as one that is gone.
      await catchUp(name);
      await poll(
        () => history.current(name) === undefined,
        seconds,
        () => {
          const item = history.current(name);
          const finalizers = show(item?.metadata.finalizers);
          const found = `found finalizers ${finalizers}\nstatus: ${statusText(item)}`;
          return `${where(name)}: expected to be gone within ${seconds} s, ${found}`;
        },
      );
    },
    async expectQuiet(why, name = itemName) {
      const [write] = await writesWhileQuiet(name);
      if (write !== undefined)
        throw new Deviation(`${where(name)}: expected no write (${why}), found ${textOf(write)}`);
    },
    async expectNoReport(why) {
      const write = (await writesWhileQuiet(itemName)).find((each) => !changesConditionsOnly(each));
      if (write === undefined) return;
      throw new Deviation(`${where(itemName)}: expected no write but of conditions (${why}), found ${textOf(write)}`);
    },
    async writes(name = itemName) {
      await catchUp(name);
      return history.writes(name);
    },
  };
  return waits;
}
