import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { DiscardPolicy } from "@nats-io/jetstream";
import type { TransitionPublisherOptions } from "./transition-publisher.ts";
import { playPublisher, readEvents, version, withManager, type PlayedPublisher } from "../../test/play-publisher.ts";

describeUnless(programAbsence("nats-server"), describe)("the publisher of transitions, with a real nats-server", () => {
  let server: NatsServer;
  const playing: PlayedPublisher[] = [];
  const play = async (options: Partial<TransitionPublisherOptions> = {}): Promise<PlayedPublisher> => {
    const player = playPublisher(server.url, options);
    playing.push(player);
    await player.ready();
    return player;
  };

  beforeEach(async () => {
    server = await createNatsServer();
    await server.start();
  });
  afterEach(async () => {
    for (const player of playing.splice(0)) await player.stop();
    await server.remove();
  });

  it("publishes transitions in order, and continues from the bucket without repeating or losing one", async () => {
    const first = await play();
    const feed = first.feed;
    expect(feed.from).toBeUndefined();
    feed.onList([version("5", "Init")], "6");
    feed.onVersion(version("7", "Progressing"), false);
    feed.onVersion(version("8", "Progressing"), false);
    feed.onVersion(version("9", "Succeeded"), false);
    await first.settle();
    await first.stop();
    const second = await play();
    const again = second.feed;
    // What a watch from the stored position may repeat.
    again.onVersion(version("7", "Progressing"), false);
    again.onVersion(version("9", "Succeeded"), false);
    again.onVersion(version("12", "Succeeded"), true);
    await second.settle();
    expect(await readEvents(server.url)).toEqual([
      "u.5 Init - gap",
      "u.7 Progressing 5",
      "u.9 Succeeded 7",
      "u.12 Deleted 9",
    ]);
  });

  it("shows what changed before a list as gaps, deletions included", async () => {
    const player = await play();
    const feed = player.feed;
    feed.onList([], "1");
    for (const uid of ["same", "changed", "gone"]) feed.onVersion(version("2", "Init", uid), false);
    await player.settle();
    feed.onList([version("2", "Init", "same"), version("30", "Failed", "changed")], "40");
    await player.settle();
    expect((await readEvents(server.url)).slice(3).toSorted()).toEqual([
      "changed.30 Failed 2 gap",
      "gone.40 Deleted 2 gap",
    ]);
    expect(player.publisher.stats.gaps).toBe(2);
  });

  it("publishes what it observed while the server was killed", async () => {
    const player = await play();
    const feed = player.feed;
    feed.onList([], "1");
    await server.kill();
    await player.hasProblem(
      /^NATS \(127\.0\.0\.1:\d+\) (?:has closed the connection\. If this persists, check that the server runs|cannot be reached)/,
    );
    feed.onVersion(version("2", "Init"), false);
    feed.onVersion(version("3", "Succeeded"), false);
    await player.hasProblem(/cannot be reached/);
    await server.start();
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Succeeded 2"]);
    expect(player.log.at(-1)).toBe("events are published again");
  });

  it("creates a deleted stream again, and names what was missing", async () => {
    const problems: (string | undefined)[] = [];
    const player = await play({ onProblem: (problem) => problems.push(problem) });
    await withManager(server.url, (manager) => manager.streams.delete("LANDSCAPER"));
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -"]);
    const place = `NATS (${server.url.replace("nats://", "")})`;
    expect(problems[0]).toBe(
      `${place}: the stream LANDSCAPER or the bucket landscaper-events does not exist. The publisher creates it again.`,
    );
  });

  it("creates a deleted bucket again, and fills it from memory", async () => {
    const player = await play();
    const feed = player.feed;
    feed.onVersion(version("2", "Init"), false);
    await player.settle();
    await withManager(server.url, (manager) => manager.streams.delete("KV_landscaper-events"));
    feed.onVersion(version("3", "Succeeded"), false);
    await player.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Succeeded 2"]);
  });

  it("stops when another publisher has taken over", async () => {
    const first = await play();
    const second = await play();
    second.feed.onVersion(version("2", "Init"), false);
    await second.settle();
    first.feed.onVersion(version("2", "Init"), false);
    expect(String(await first.ended())).toMatch(/another publisher of events has written/);
    expect(await readEvents(server.url)).toEqual(["u.2 Init -"]);
  });

  it("repeats an event that was claimed and not published, with the same content", async () => {
    const limits = { max_msgs: 1, discard: DiscardPolicy.New };
    await withManager(server.url, (manager) =>
      manager.streams.add({ name: "LANDSCAPER", subjects: ["landscaper.>"], ...limits }),
    );
    const first = await play();
    first.feed.onVersion(version("2", "Init"), false);
    first.feed.onVersion(version("3", "Failed"), false);
    await first.hasProblem(/Raise the limits/);
    const claim = await withManager(server.url, (manager) =>
      manager.streams.getMessage("KV_landscaper-events", { last_by_subj: "$KV.landscaper-events.hub.Installation.u" }),
    );
    expect(claim?.json()).toMatchObject({ data: { resourceVersion: "3", previous: "2" } });
    await first.stop();
    await withManager(server.url, (manager) => manager.streams.update("LANDSCAPER", { max_msgs: 10 }));
    const second = await play();
    await second.settle();
    expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Failed 2"]);
    const event = await withManager(server.url, (manager) => manager.streams.getMessage("LANDSCAPER", { seq: 2 }));
    expect(event?.json()).toMatchObject({ time: claim?.json<{ readonly time: string }>().time });
  });

  it("purges the keys of deleted objects when their position has passed", async () => {
    const player = await play();
    player.feed.onVersion(version("2", "Init", "gone"), false);
    player.feed.onVersion(version("2", "Init", "stays"), false);
    player.feed.onVersion(version("3", "Init", "gone"), true);
    await player.settle();
    const keys = async (): Promise<readonly string[]> =>
      await withManager(server.url, async (manager) => {
        const { state } = await manager.streams.info("KV_landscaper-events", {
          subjects_filter: "$KV.*.hub.Installation.*",
        });
        return Object.keys(state.subjects ?? {}).map((key) => key.split(".").at(-1) ?? "");
      });
    await waitFor(async () => !(await keys()).includes("gone"));
    expect((await keys()).toSorted()).toEqual(["position", "stays"]);
  });

  it("shows an API server that was restored from a backup as gaps, even for objects that exist again", async () => {
    const player = await play();
    player.feed.onVersion(version("20", "Init"), false);
    player.feed.onVersion(version("25", "Init", "again"), false);
    player.feed.onVersion(version("30", "Succeeded"), false);
    player.feed.onVersion(version("31", "Init", "again"), true);
    await player.settle();
    player.feed.onList([version("20", "Init"), version("22", "Old", "again")], "26");
    player.feed.onVersion(version("27", "Failed"), false);
    await player.settle();
    expect((await readEvents(server.url)).slice(4).toSorted()).toEqual(["again.22 Old 31 gap", "u.27 Failed 20"]);
    // The event u.20 has an id that the stream has had within its duplicate window.
    expect(player.publisher.stats.gaps).toBe(2);
  });
});
