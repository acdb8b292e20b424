import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import {
  createNatsCluster,
  createNatsServer,
  describeUnless,
  programAbsence,
  waitFor,
  type NatsServer,
} from "@landscaper/testkit";
import { DiscardPolicy } from "@nats-io/jetstream";
import type { TransitionPublisherOptions } from "./transition-publisher.ts";
import { playPublisher, readEvents, version, withManager, type PlayedPublisher } from "../../test/play-publisher.ts";

const jetStream = "jetstream { store_dir: $STORE }";
const everything = '{ publish: ">", subscribe: ">" }';

/** Configuration with the user "core", whose password is "secret-word". Its account has JetStream; "admin" is another user of it. */
function withUser(permissions: string, password = "secret-word"): string {
  const users = `{ user: core, password: ${password}, permissions: ${permissions} }, { user: admin, password: admin }`;
  return `${jetStream}\naccounts { A { jetstream: enabled, users: [ ${users} ] } }`;
}

function urlOf(server: NatsServer, login: string): string {
  return server.url.replace("//", `//${login}@`);
}

describeUnless(programAbsence("nats-server"), describe)("states of NATS, with a real nats-server", () => {
  const servers: NatsServer[] = [];
  const playing: PlayedPublisher[] = [];
  const start = async (config?: string): Promise<NatsServer> => {
    const server = await createNatsServer(config);
    servers.push(server);
    await server.start();
    return server;
  };
  const play = (url: string, options?: Partial<TransitionPublisherOptions>): PlayedPublisher => {
    const player = playPublisher(url, options);
    playing.push(player);
    return player;
  };

  afterEach(async () => {
    for (const player of playing.splice(0)) await player.stop();
    for (const server of servers.splice(0)) await server.remove();
  });

  it("names a server that does not answer, and publishes once it does", async () => {
    const server = await createNatsServer();
    servers.push(server);
    const player = play(server.url);
    await player.hasProblem(
      /^NATS \(127\.0\.0\.1:\d+\) cannot be reached: connection refused; start the server, or correct NATS_URL\.$/,
    );
    expect(player.log).toEqual(["events wait: unreachable"]);
    await server.start();
    await player.ready();
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -"]);
    await waitFor(() => player.publisher.stats.problem === undefined);
  });

  it("names refused credentials without showing them", async () => {
    const server = await start(withUser(everything));
    const player = play(urlOf(server, "core:wrong-word"));
    await player.hasProblem(/refuses the credentials\. Correct user and password in NATS_URL\.$/);
    expect(player.publisher.stats.problem).not.toMatch(/wrong-word/);
  });

  it("names credentials that are revoked while nothing is published, and continues when they are valid again", async () => {
    const server = await start(withUser(everything));
    const player = play(urlOf(server, "core:secret-word"));
    await player.ready();
    server.reload(withUser(everything, "changed-word"));
    await player.hasProblem(/refuses the credentials/);
    player.feed.onVersion(version("2", "Init"), false);
    server.reload(withUser(everything));
    await player.settle();
    expect(await readEvents(urlOf(server, "admin:admin"))).toEqual(["u.2 Init -"]);
    expect(player.log).toEqual([
      "the publisher of events has begun",
      "events wait: credentials-refused",
      "events are published again",
    ]);
  });

  it("gives up the events of a subject that the server refuses, counts and names them, and publishes the others", async () => {
    const server = await start(withUser('{ publish: { deny: "landscaper.*.*.bad.*" }, subscribe: ">" }'));
    const player = play(urlOf(server, "core:secret-word"));
    await player.ready();
    for (let index = 2; index < 202; index++)
      player.feed.onVersion(version(String(index), `P${index % 2}`, "bad"), false);
    player.feed.onVersion(version("300", "Init", "good"), false);
    await player.settle();
    expect(await readEvents(urlOf(server, "admin:admin"))).toEqual(["good.300 Init -"]);
    expect(player.publisher.stats).toMatchObject({ published: 1, refused: 200, problem: undefined });
    expect(player.log).toEqual([
      "the publisher of events has begun",
      "an event is given up, because the server refuses it: landscaper.installation.n.bad.P0",
      "an event is given up, because the server refuses it: landscaper.installation.n.bad.P1",
    ]);
  });

  it("shows an event that was given up in `previous` of the next one of its object", async () => {
    const server = await start(withUser('{ publish: { deny: "landscaper.*.*.*.Failed" }, subscribe: ">" }'));
    const player = play(urlOf(server, "core:secret-word"));
    await player.ready();
    for (const [at, phase] of ["Init", "Failed", "Succeeded"].entries())
      player.feed.onVersion(version(String(at + 2), phase), false);
    await player.settle();
    expect(await readEvents(urlOf(server, "admin:admin"))).toEqual(["u.2 Init -", "u.4 Succeeded 3"]);
  });

  it("names the permission for the bucket that is missing", async () => {
    const server = await start(withUser('{ publish: { deny: "$KV.>" }, subscribe: ">" }'));
    const player = play(urlOf(server, "core:secret-word"));
    await player.hasProblem(
      /: cannot store hub\.owner in the bucket landscaper-events: .*Grant the account the permissions/,
    );
    expect(player.log).toEqual(["events wait: permission-missing"]);
  });

  it("needs no other permissions than the guide names", async () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/install.md"), "utf8");
    const [, publish = "", subscribe = ""] = /^publish: ([^`]+)\nsubscribe: (.+)$/m.exec(guide) ?? [];
    const listOf = (subjects: string): string => JSON.stringify(subjects.split(",").map((subject) => subject.trim()));
    const server = await start(withUser(`{ publish: ${listOf(publish)}, subscribe: ${listOf(subscribe)} }`));
    for (const [at, phase] of ["Init", "Failed", "Succeeded"].entries()) {
      const player = play(urlOf(server, "core:secret-word"));
      await player.ready();
      player.feed.onVersion(version(String(2 * at + 2), phase), false);
      player.feed.onVersion(version(String(2 * at + 3), phase), true);
      await player.settle();
      expect(player.log).toEqual(["the publisher of events has begun"]);
      await player.stop();
    }
    expect((await readEvents(urlOf(server, "admin:admin"))).length).toBe(6);
  });

  it("names a server without JetStream", async () => {
    const server = await start("");
    const player = play(server.url);
    await player.hasProblem(/has no JetStream for this account\. Start nats-server with --jetstream/);
    server.reload("");
    expect(player.log).toEqual(["events wait: jetstream-disabled"]);
  });

  it("names a stream with other subjects, and waits until it has the subjects of events", async () => {
    const server = await start();
    await withManager(server.url, (manager) => manager.streams.add({ name: "LANDSCAPER", subjects: ["other.>"] }));
    const player = play(server.url);
    await player.hasProblem(
      /^NATS \(.*\): the stream LANDSCAPER exists with the subjects other\.>, without landscaper\.installation\.\*\.\*\.\*, .*\. Add landscaper\.> to its subjects\.$/,
    );
    await withManager(server.url, (manager) =>
      manager.streams.update("LANDSCAPER", { subjects: ["other.>", "landscaper.>"] }),
    );
    await player.ready();
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    expect(player.publisher.stats.published).toBe(1);
  });

  it("names a stream that loses the subjects of events while the publisher runs", async () => {
    const server = await start();
    const player = play(server.url);
    await player.ready();
    await withManager(server.url, (manager) => manager.streams.update("LANDSCAPER", { subjects: ["other.>"] }));
    player.feed.onVersion(version("2", "Init"), false);
    await player.hasProblem(/^NATS \(.*\): the stream LANDSCAPER exists with the subjects other\.>/);
    expect(player.log.at(-1)).toBe("events wait: stream-settings");
  });

  it("names another stream that has the subjects of events", async () => {
    const server = await start();
    await withManager(server.url, (manager) => manager.streams.add({ name: "OTHER", subjects: ["landscaper.>"] }));
    const player = play(server.url);
    await player.hasProblem(
      /another stream has subjects of landscaper\.>\. Give them to the stream LANDSCAPER alone\.$/,
    );
    expect(player.log).toEqual(["events wait: stream-subjects"]);
  });

  it("names a full stream, keeps the order, and continues when there is room", async () => {
    const server = await start();
    const limits = { max_msgs: 1, discard: DiscardPolicy.New };
    await withManager(server.url, (manager) =>
      manager.streams.add({ name: "LANDSCAPER", subjects: ["landscaper.>"], ...limits }),
    );
    const player = play(server.url);
    await player.ready();
    for (const [at, phase] of ["Init", "Progressing", "Succeeded"].entries())
      player.feed.onVersion(version(String(at + 2), phase), false);
    await player.hasProblem(
      /cannot publish to landscaper\.installation\.n\.u\.Progressing: .*Raise the limits of the stream LANDSCAPER/,
    );
    await withManager(server.url, (manager) => manager.streams.update("LANDSCAPER", { max_msgs: 10 }));
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Progressing 2", "u.4 Succeeded 3"]);
  });

  it("fills an emptied bucket again", async () => {
    const server = await start();
    const player = play(server.url);
    await player.ready();
    for (const uid of ["one", "two"]) player.feed.onVersion(version("2", "Init", uid), false);
    await player.settle();
    await withManager(server.url, (manager) => manager.streams.purge("KV_landscaper-events"));
    player.feed.onVersion(version("3", "Succeeded", "one"), false);
    await player.settle();
    await player.stop();
    const next = play(server.url);
    await next.ready();
    next.feed.onVersion(version("4", "Succeeded", "two"), false);
    await next.settle();
    expect((await readEvents(server.url)).toSorted()).toEqual([
      "one.2 Init -",
      "one.3 Succeeded 2",
      "two.2 Init -",
      "two.4 Succeeded 2",
    ]);
  });

  it("writes a single removed key again", async () => {
    const server = await start();
    const player = play(server.url);
    await player.ready();
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    const filter = "$KV.landscaper-events.hub.Installation.u";
    await withManager(server.url, (manager) => manager.streams.purge("KV_landscaper-events", { filter }));
    player.feed.onVersion(version("3", "Succeeded"), false);
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Succeeded 2"]);
  });

  it("says that a server does not acknowledge, and publishes each event once when it does", async () => {
    const server = await start();
    const player = play(server.url, { timeoutMs: 1_000 });
    await player.ready();
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    await server.freeze();
    player.feed.onVersion(version("3", "Progressing"), false);
    player.feed.onVersion(version("4", "Succeeded"), false);
    await player.hasProblem(
      /: no acknowledgement \(.*\)\. If the servers form a cluster, check that most of them run\.$|cannot be reached/,
    );
    expect(player.publisher.stats.waiting).toBe(2);
    expect(player.publisher.stats.lagSeconds).toBeGreaterThan(0);
    server.resume();
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Progressing 2", "u.4 Succeeded 3"]);
  });

  it("continues from its stored position after NATS has lost everything", async () => {
    const server = await start();
    const player = play(server.url);
    await player.ready();
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    await withManager(server.url, async (manager) => {
      await manager.streams.delete("LANDSCAPER");
      await manager.streams.delete("KV_landscaper-events");
    });
    await server.kill();
    await server.start();
    player.feed.onVersion(version("3", "Succeeded"), false);
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.3 Succeeded 2"]);
  });

  it("creates the stream with three replicas when the last server of the cluster has started", async () => {
    const cluster = await createNatsCluster();
    servers.push(...cluster);
    const [one, two, three] = cluster;
    if (one === undefined || two === undefined || three === undefined) throw new Error("the cluster has no servers");
    await Promise.all([one.start(), two.start()]);
    const player = play(one.url);
    await player.hasProblem(/with three replicas: .*\. Start the other servers of the cluster/);
    await three.start();
    await player.ready();
    const { config } = await withManager(one.url, (manager) => manager.streams.info("LANDSCAPER"));
    expect(config.num_replicas).toBe(3);
  });

  it("publishes in a cluster of three after the loss of the leader, and waits while two servers are lost", async () => {
    const cluster = await createNatsCluster();
    servers.push(...cluster);
    await Promise.all(cluster.map((server) => server.start()));
    const player = play(cluster.map(({ url }) => url).join(","));
    await player.ready();
    const { config, cluster: raft } = await withManager(servers[0]?.url ?? "", (manager) =>
      manager.streams.info("LANDSCAPER"),
    );
    expect(config.num_replicas).toBe(3);
    let at = 1;
    const observe = (count: number): void => {
      for (let index = 0; index < count; index++, at++) player.feed.onVersion(version(String(at), `P${at}`), false);
    };
    observe(5);
    await player.settle();
    const leader = cluster[Number(raft?.leader?.at(-1))];
    const [one, two] = cluster.filter((server) => server !== leader);
    if (leader === undefined || one === undefined || two === undefined) throw new Error("the stream has no leader");
    await leader.kill();
    observe(5);
    await player.settle();
    await one.kill();
    observe(5);
    await waitFor(() => player.publisher.stats.problem !== undefined);
    await Promise.all([leader.start(), one.start()]);
    await player.settle();
    const events = await waitFor(async () => await readEvents(one.url).catch(() => undefined));
    const want = Array.from(
      { length: at - 1 },
      (_, index) => `u.${index + 1} P${index + 1} ${index === 0 ? "-" : index}`,
    );
    expect(events).toEqual(want);
  });

  it("stops at once while NATS does not answer, with a position to store and no room for transitions", async () => {
    const server = await start();
    const player = play(server.url, { timeoutMs: 3_600_000, maxWaiting: 1 });
    await player.ready();
    await server.freeze();
    player.feed.onBookmark("5");
    player.feed.onVersion(version("6", "Init"), false);
    const pause = player.feed.ready();
    // The position is stored every second.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await player.stop()).toBeUndefined();
    await pause;
    server.resume();
  });

  it("reads no further when too many transitions wait, by number or by memory, and continues when they are published", async () => {
    const server = await start();
    for (const bound of [{ maxWaiting: 10 }, { maxWaitingBytes: 20_480 }]) {
      const player = play(server.url, { ...bound, hubId: () => Promise.resolve(Object.keys(bound).join()) });
      await player.ready();
      await server.kill();
      await player.hasProblem(/cannot be reached/);
      const many = Array.from({ length: 100 }, (_, index) =>
        version(String(index + 1), "Init", `${Object.keys(bound)[0]}-${index}`),
      );
      player.feed.onList(many, "200");
      expect(player.publisher.stats.waiting).toBe(10);
      const pause = player.feed.ready();
      await server.start();
      await pause;
      await player.settle();
      expect(player.publisher.stats.published).toBe(100);
      await player.stop();
    }
  });
});
