import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { KubeObject } from "@landscaper/api";
import { createNatsServer, describeUnless, programAbsence, type NatsServer } from "@landscaper/testkit";
import { jetstream } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { connect } from "@nats-io/transport-node";
import { playPublisher, readEvents, version, type PlayedPublisher } from "../../test/play-publisher.ts";

const jetStream = "jetstream { store_dir: $STORE }";
const bucket = "landscaper-events";

/** Deletes keys as `nats kv del` does: each leaves a marker. */
async function deleteKeys(url: string, keys: readonly string[]): Promise<void> {
  const connection = await connect({ servers: new URL(url).host });
  const kv = await new Kvm(jetstream(connection)).open(bucket);
  for (const key of keys) await kv.delete(key);
  await connection.close();
}

function withStatus(object: KubeObject, status: Readonly<Record<string, unknown>>): KubeObject {
  return { ...object, status } as KubeObject;
}

describeUnless(programAbsence("nats-server"), describe)("hostile content, with a real nats-server", () => {
  const servers: NatsServer[] = [];
  const playing: PlayedPublisher[] = [];
  const start = async (config?: string): Promise<NatsServer> => {
    const server = await createNatsServer(config);
    servers.push(server);
    await server.start();
    return server;
  };
  const play = (url: string): PlayedPublisher => {
    const player = playPublisher(url);
    playing.push(player);
    return player;
  };

  afterEach(async () => {
    for (const player of playing.splice(0)) await player.stop();
    for (const server of servers.splice(0)) await server.remove();
  });

  it.each([
    ["a phase that is longer than a line of the protocol", { phase: "x".repeat(5_000), jobID: "j" }],
    ["a job id that is longer than a message may be", { phase: "Init", jobID: "j".repeat(1_200_000) }],
    ["a phase of other characters", { phase: "a.b.>\u0000\n\ud800*", jobID: "j" }],
  ])("does not stop the events of other objects: %s", async (_, status) => {
    const server = await start();
    const player = play(server.url);
    await player.ready();
    player.feed.onVersion(withStatus(version("2", "", "bad"), status), false);
    player.feed.onVersion(version("3", "Init", "good"), false);
    await player.settle();
    expect(await readEvents(server.url)).toContain("good.3 Init -");
    expect(player.publisher.stats).toMatchObject({ published: 2, refused: 0, problem: undefined });
  });

  it("keeps the chain of events of an object that stores the phase of deletions, and notices its deletion in a list", async () => {
    const server = await start();
    const player = play(server.url);
    await player.ready();
    for (const [at, phase] of [
      ["2", "Init"],
      ["3", "Deleted"],
      ["4", "Init"],
      ["5", "Deleted"],
    ] as const) {
      player.feed.onVersion(version(at, phase), false);
      await player.settle();
      // Time in which a key of a deleted object would be removed.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
    }
    player.feed.onList([], "6");
    await player.settle();
    expect(await readEvents(server.url)).toEqual([
      "u.2 Init -",
      "u.3 Deleted 2",
      "u.4 Init 3",
      "u.5 Deleted 4",
      "u.6 Deleted 5 gap",
    ]);
  });

  it("gives up an event that is larger than the server takes, and publishes the others", async () => {
    const server = await start(`${jetStream}\nmax_payload: 1200`);
    const player = play(server.url);
    await player.ready();
    const lastError = { reason: "R", message: "m".repeat(1_000) };
    player.feed.onVersion(withStatus(version("2", "", "bad"), { phase: "Failed", lastError }), false);
    player.feed.onVersion(version("3", "Init", "good"), false);
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["good.3 Init -"]);
    expect(player.publisher.stats).toMatchObject({ published: 1, refused: 1, problem: undefined });
  });

  it("continues after the deletion of keys that leaves markers", async () => {
    const server = await start();
    const player = play(server.url);
    await player.ready();
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    await deleteKeys(server.url, ["hub.Installation.u"]);
    player.feed.onVersion(version("3", "Completing"), false);
    await player.settle();
    await player.stop();
    await deleteKeys(server.url, ["hub.owner", "hub.Installation.u"]);
    const next = play(server.url);
    await next.ready();
    next.feed.onVersion(version("4", "Succeeded"), false);
    await next.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Completing 2", "u.4 Succeeded -"]);
  });

  it("stops at once while a server accepts connections and says nothing", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const player = playPublisher(`nats://127.0.0.1:${(silent.address() as AddressInfo).port}`, {
      timeoutMs: 3_600_000,
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await player.stop();
    for (const socket of sockets) socket.destroy();
    silent.close();
    expect(sockets).toHaveLength(1);
  });

  it("slows down, and reports once, while positions cannot be stored", async () => {
    const permissions = '{ publish: { deny: "$KV.*.*.*.position" }, subscribe: ">" }';
    const users = `{ user: core, password: p, permissions: ${permissions} }, { user: admin, password: admin }`;
    const server = await start(`${jetStream}\naccounts { A { jetstream: enabled, users: [ ${users} ] } }`);
    const player = play(server.url.replace("//", "//core:p@"));
    await player.ready();
    player.feed.onVersion(version("2", "Init"), false);
    await player.hasProblem(/Permissions Violation/i);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(player.log.length).toBeLessThan(16);
  });
});
