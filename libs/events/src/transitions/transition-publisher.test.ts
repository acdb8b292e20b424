import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectSocket, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { KubeObject } from "@landscaper/api";
import { describeUnless, findProgram, programAbsence, waitFor } from "@landscaper/testkit";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { EventKind } from "./object-version.ts";
import type { FeedObserver } from "./transition-feed.ts";
import type { TransitionEvent } from "./transition-event.ts";
import { createTransitionPublisher, type TransitionPublisher } from "./transition-publisher.ts";

const binary = findProgram("nats-server");

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  schedule: (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

function item(resourceVersion: string, phase: string, uid = "u"): KubeObject {
  const object = {
    apiVersion: "v1",
    kind: "Installation",
    metadata: { namespace: "n", name: uid, uid, resourceVersion },
  };
  return { ...object, status: { phase, jobID: "j" } } as KubeObject;
}

/** A publisher with the observers of its feeds. */
interface Playing {
  readonly publisher: TransitionPublisher;
  readonly feeds: Map<EventKind, FeedObserver>;
  readonly lines: string[];
  stop(): Promise<unknown>;
}

describeUnless(programAbsence("nats-server"), describe)("with a real nats-server", () => {
  let dir: string;
  let port: number;
  let child: ChildProcess | undefined;
  const playing: Playing[] = [];

  const startServer = async (): Promise<void> => {
    child = spawn(binary ?? "", ["-js", "-a", "127.0.0.1", "-p", String(port), "-sd", dir], { stdio: "ignore" });
    await waitFor(() => canConnect(port), { intervalMs: 20 });
  };
  const killServer = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  const play = async (): Promise<Playing> => {
    const feeds = new Map<EventKind, FeedObserver>();
    const lines: string[] = [];
    const stop = new AbortController();
    const publisher = createTransitionPublisher({
      servers: `nats://127.0.0.1:${port}`,
      timeoutMs: 2_000,
      random: () => 0,
      hubId: () => Promise.resolve("hub"),
      log: {
        info: (_, message) => void lines.push(message),
        warn: (fields, message) => void lines.push(`${message}: ${String(fields["state"] ?? fields["subject"])}`),
      },
      clock,
      follow: (kind, observer, signal) => {
        feeds.set(kind, observer);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      },
    });
    const ended = publisher.run(stop.signal).catch((error: unknown) => error);
    const player: Playing = {
      publisher,
      feeds,
      lines,
      stop: () => {
        stop.abort(new Error("stop"));
        return ended;
      },
    };
    playing.push(player);
    await waitFor(() => feeds.size === 3, { intervalMs: 20 });
    return player;
  };
  const readEvents = async (): Promise<readonly string[]> => {
    const connection = await connect({ servers: `nats://127.0.0.1:${port}` });
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info("LANDSCAPER");
    const events: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const { id, data } = (await manager.streams.getMessage("LANDSCAPER", { seq }))?.json<TransitionEvent>() ?? {};
      events.push([id, data?.phase, data?.previous ?? "-", data?.gap === true ? "gap" : ""].join(" ").trim());
    }
    await connection.close();
    return events;
  };
  const settle = async ({ publisher }: Playing): Promise<void> => {
    await waitFor(() => publisher.stats.waiting === 0, { intervalMs: 20 });
  };

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "events-"));
    port = await freePort();
    await startServer();
  });
  afterEach(async () => {
    for (const player of playing.splice(0)) await player.stop();
    await killServer();
    rmSync(dir, { recursive: true, force: true });
  });

  it("publishes transitions in order, and continues from the bucket without repeating or losing one", async () => {
    const first = await play();
    const feed = first.feeds.get("Installation");
    expect(feed?.from).toBeUndefined();
    feed?.onList([item("5", "Init")], "6");
    feed?.onVersion(item("7", "Progressing"), false);
    feed?.onVersion(item("8", "Progressing"), false);
    feed?.onVersion(item("9", "Succeeded"), false);
    await settle(first);
    await first.stop();
    const second = await play();
    const again = second.feeds.get("Installation");
    // What a watch from the stored position may repeat.
    again?.onVersion(item("7", "Progressing"), false);
    again?.onVersion(item("9", "Succeeded"), false);
    again?.onVersion(item("12", "Succeeded"), true);
    await settle(second);
    expect(await readEvents()).toEqual(["u.5 Init - gap", "u.7 Progressing 5", "u.9 Succeeded 7", "u.12 Deleted 9"]);
  });

  it("shows what changed before a list as gaps, deletions included", async () => {
    const player = await play();
    const feed = player.feeds.get("Installation");
    feed?.onList([], "1");
    for (const uid of ["same", "changed", "gone"]) feed?.onVersion(item("2", "Init", uid), false);
    await settle(player);
    feed?.onList([item("2", "Init", "same"), item("30", "Failed", "changed")], "40");
    await settle(player);
    expect((await readEvents()).slice(3).toSorted()).toEqual(["changed.30 Failed 2 gap", "gone.40 Deleted 2 gap"]);
    expect(player.publisher.stats.gaps).toBe(2);
  });

  it("publishes what it observed while the server was killed", async () => {
    const player = await play();
    const feed = player.feeds.get("Installation");
    feed?.onList([], "1");
    await killServer();
    feed?.onVersion(item("2", "Init"), false);
    feed?.onVersion(item("3", "Succeeded"), false);
    await waitFor(() => player.publisher.stats.problem !== undefined, { intervalMs: 20 });
    await startServer();
    await settle(player);
    expect(await readEvents()).toEqual(["u.2 Init -", "u.3 Succeeded 2"]);
    expect(player.lines.at(-1)).toBe("events are published again");
  });

  it("creates a deleted stream again", async () => {
    const player = await play();
    const connection = await connect({ servers: `nats://127.0.0.1:${port}` });
    await (await jetstreamManager(connection)).streams.delete("LANDSCAPER");
    await connection.close();
    player.feeds.get("Installation")?.onVersion(item("2", "Init"), false);
    await settle(player);
    expect(await readEvents()).toEqual(["u.2 Init -"]);
  });

  it("creates a deleted bucket again, and fills it from memory", async () => {
    const player = await play();
    const feed = player.feeds.get("Installation");
    feed?.onVersion(item("2", "Init"), false);
    await settle(player);
    const connection = await connect({ servers: `nats://127.0.0.1:${port}` });
    await (await jetstreamManager(connection)).streams.delete("KV_landscaper-events");
    await connection.close();
    feed?.onVersion(item("3", "Succeeded"), false);
    await settle(player);
    expect(await readEvents()).toEqual(["u.2 Init -", "u.3 Succeeded 2"]);
  });

  it("stops when another publisher has taken over", async () => {
    const first = await play();
    const second = await play();
    second.feeds.get("Installation")?.onVersion(item("2", "Init"), false);
    await settle(second);
    first.feeds.get("Installation")?.onVersion(item("2", "Init"), false);
    expect(String(await waitForEnd(first))).toMatch(/another publisher of events has written/);
    expect(await readEvents()).toEqual(["u.2 Init -"]);
  });
});

async function waitForEnd(player: Playing): Promise<unknown> {
  await waitFor(() => player.publisher.stats.waiting === 0, { intervalMs: 20 });
  return await player.stop();
}
