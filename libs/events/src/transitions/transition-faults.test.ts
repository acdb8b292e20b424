import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { KubeObject } from "@landscaper/api";
import {
  createNatsServer,
  createRandom,
  describeUnless,
  programAbsence,
  waitFor,
  type NatsServer,
} from "@landscaper/testkit";
import { playPublisher, readEvents, version, withManager, type PlayedPublisher } from "../../test/play-publisher.ts";
import { readVersion } from "./object-version.ts";
import type { FeedObserver, FollowKind } from "./transition-feed.ts";

/** Changes of Installations in the order of their resource versions, as an API server keeps them. */
class PlayedHistory {
  readonly #versions: KubeObject[] = [];
  readonly #followers = new Set<() => void>();
  readonly #latest = new Map<string, number>();

  change(uid: string): void {
    const count = (this.#latest.get(uid) ?? 0) + 1;
    this.#latest.set(uid, count);
    // Every third version changes nothing that an event tells.
    this.#versions.push(version(String(this.#versions.length + 1), `P${count - Math.floor(count / 3)}`, uid));
    for (const wake of this.#followers) wake();
  }

  /** Events of all transitions, as `readEvents` returns them. */
  events(): readonly string[] {
    const last = new Map<string, KubeObject>();
    const events: string[] = [];
    for (const next of this.#versions) {
      const { uid = "", resourceVersion } = next.metadata;
      const before = last.get(uid);
      if (before !== undefined && phaseOf(before) === phaseOf(next)) continue;
      last.set(uid, next);
      events.push(`${uid}.${resourceVersion} ${phaseOf(next)} ${before?.metadata.resourceVersion ?? "-"}`);
    }
    return events;
  }

  #list(observer: FeedObserver): number {
    const present = new Map(this.#versions.map((object) => [object.metadata.uid, object]));
    observer.onList([...present.values()], String(this.#versions.length));
    return this.#versions.length;
  }

  follow: FollowKind = async (kind, observer, signal) => {
    let wake = (): void => {};
    const follower = (): void => wake();
    this.#followers.add(follower);
    signal.addEventListener("abort", follower);
    let at = observer.from === undefined ? this.#list(observer) : Number(observer.from);
    while (!signal.aborted) {
      const next = kind === "Installation" ? this.#versions[at] : undefined;
      if (next === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      at++;
      observer.onVersion(next, false);
      await observer.ready();
    }
    this.#followers.delete(follower);
  };
}

function phaseOf(object: KubeObject): string {
  return readVersion(object).phase;
}

function describePublisher({ publisher, log }: PlayedPublisher): string {
  return `${JSON.stringify(publisher.stats)}\n${log.join("\n")}`;
}

function byObject(events: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const event of events) (found[event.split(".")[0] ?? ""] ??= []).push(event);
  return found;
}

describeUnless(programAbsence("nats-server"), describe)(
  "transitions while processes are killed, with a real nats-server",
  () => {
    let server: NatsServer;
    const players: PlayedPublisher[] = [];

    beforeEach(async () => {
      server = await createNatsServer();
      await server.start();
    });
    afterEach(async () => {
      for (const player of players.splice(0)) await player.stop();
      await server.remove();
    });

    it.each([1, 2, 3])("are published once and in order (seed %d)", async (seed) => {
      const random = createRandom(seed);
      const history = new PlayedHistory();
      const start = (): PlayedPublisher => {
        const player = playPublisher(server.url, { follow: history.follow });
        players.push(player);
        return player;
      };
      const first = start();
      const key = "$KV.landscaper-events.hub.Installation.position";
      const hasPosition = async (): Promise<boolean> =>
        await withManager(server.url, async (manager) => {
          const stored = await manager.streams.getMessage("KV_landscaper-events", { last_by_subj: key });
          return stored !== null;
        }).catch(() => false);
      await waitFor(hasPosition, { describe: () => describePublisher(first) });
      for (let round = 0; round < 14; round++) {
        for (let count = 0; count < 60; count++) history.change(`u${Math.floor(random() * 20)}`);
        await new Promise((resolve) => setTimeout(resolve, random() * 250));
        const fault = random();
        if (fault < 0.4) {
          // A new publisher after the death of the one before.
          await players.pop()?.stop();
          start();
        } else if (fault < 0.7) {
          // A new publisher while the one before still runs: it takes over, or is taken over from.
          start();
        } else {
          await server.kill();
          await server.start();
        }
      }
      // As the manager starts it again: the last publisher finds what the others have left.
      for (const player of players.splice(0)) await player.stop();
      const last = start();
      const want = byObject(history.events());
      const read = async (): Promise<Readonly<Record<string, readonly string[]>>> =>
        byObject(await readEvents(server.url));
      await waitFor(async () => Object.values(await read()).flat().length >= history.events().length, {
        describe: () => describePublisher(last),
      });
      expect(await read()).toEqual(want);
    });
  },
);
