import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { DiscardPolicy, type StreamConfig } from "@nats-io/jetstream";
import { playPublisher, readEvents, version, withManager, type PlayedPublisher } from "../../test/play-publisher.ts";

const bucketStream = "KV_landscaper-events";
const second = 1_000_000_000;
/** As an administrator creates the bucket. */
const bucketSettings = {
  name: bucketStream,
  subjects: ["$KV.landscaper-events.>"],
  max_msgs_per_subject: 1,
  discard: DiscardPolicy.New,
  allow_rollup_hdrs: true,
  deny_delete: true,
};

describeUnless(programAbsence("nats-server"), describe)(
  "a stream and a bucket with other settings, with a real nats-server",
  () => {
    let server: NatsServer;
    const playing: PlayedPublisher[] = [];
    const play = (): PlayedPublisher => {
      const player = playPublisher(server.url);
      playing.push(player);
      return player;
    };
    const add = async (settings: Partial<StreamConfig> & { readonly name: string }): Promise<void> => {
      await withManager(server.url, (manager) => manager.streams.add(settings));
    };

    beforeEach(async () => {
      server = await createNatsServer();
      await server.start();
    });
    afterEach(async () => {
      for (const player of playing.splice(0)) await player.stop();
      await server.remove();
    });

    it("publish nothing while the bucket forgets values, and continue when its TTL is removed", async () => {
      await add({ ...bucketSettings, max_age: second, duplicate_window: second });
      const player = play();
      await player.hasProblem(
        /^NATS \(.*\): the bucket landscaper-events has a TTL of 1 s\. Remove the TTL \(max_age\)\.$/,
      );
      expect(player.log).toEqual(["events wait: bucket-settings"]);
      await withManager(server.url, (manager) => manager.streams.update(bucketStream, { max_age: 0 }));
      await player.ready();
      player.feed.onVersion(version("2", "Init"), false);
      await player.settle();
      expect(await readEvents(server.url)).toEqual(["u.2 Init -"]);
    });

    it("name a TTL that the bucket gets while the publisher runs, and keep states", async () => {
      const player = play();
      await player.ready();
      player.feed.onVersion(version("2", "Init"), false);
      await player.settle();
      const update = async (change: Partial<StreamConfig>): Promise<void> => {
        await withManager(server.url, (manager) => manager.streams.update(bucketStream, change));
      };
      await update({ max_age: second, duplicate_window: second });
      const isEmpty = async (): Promise<boolean> =>
        await withManager(
          server.url,
          async (manager) => (await manager.streams.info(bucketStream)).state.messages === 0,
        );
      await waitFor(isEmpty);
      player.feed.onVersion(version("3", "Progressing"), false);
      await player.hasProblem(/has a TTL of 1 s/);
      await update({ max_age: 0 });
      await player.settle();
      await player.stop();
      const next = play();
      await next.ready();
      next.feed.onVersion(version("4", "Succeeded"), false);
      await next.settle();
      expect(await readEvents(server.url)).toEqual(["u.2 Init -", "u.3 Progressing 2", "u.4 Succeeded 3"]);
    });

    it("name a bucket that takes no positions instead of giving events up", async () => {
      await add({ ...bucketSettings, max_msg_size: 40 });
      const player = play();
      await player.hasProblem(/the bucket landscaper-events takes no values of more than 40 bytes\. Raise the limit/);
      expect(player.publisher.stats).toMatchObject({ refused: 0 });
    });

    it.each<readonly [settings: Partial<StreamConfig> & { readonly name: string }, problem: RegExp]>([
      [
        { name: "LANDSCAPER", mirror: { name: "ORIGIN" } },
        /: the stream LANDSCAPER is a mirror of ORIGIN\. Delete it\.$/,
      ],
      [
        { name: "LANDSCAPER", sources: [{ name: "ORIGIN" }] },
        /: the stream LANDSCAPER exists without subjects of its own, .*Add landscaper\.> to its subjects\.$/,
      ],
      [
        { name: "LANDSCAPER", subjects: ["landscaper.>"], no_ack: true },
        /: the stream LANDSCAPER acknowledges nothing\. Set no_ack to false\.$/,
      ],
      [
        { ...bucketSettings, subjects: ["other.>"] },
        /: the bucket landscaper-events exists with the subjects other\.>/,
      ],
    ])("name what is wrong with %j", async (settings, problem) => {
      await add({ name: "ORIGIN", subjects: ["origin.>"] });
      await add(settings);
      await play().hasProblem(problem);
    });

    it("name the bucket if it is full, and continue when it has room", async () => {
      const player = play();
      await player.ready();
      await withManager(server.url, async (manager) => {
        const { state } = await manager.streams.info(bucketStream);
        await manager.streams.update(bucketStream, { max_msgs: state.messages });
      });
      player.feed.onVersion(version("2", "Init"), false);
      await player.hasProblem(/maximum messages exceeded\. Raise the limits of the stream KV_landscaper-events /);
      await withManager(server.url, (manager) => manager.streams.update(bucketStream, { max_msgs: -1 }));
      await player.settle();
      expect(await readEvents(server.url)).toEqual(["u.2 Init -"]);
    });
  },
);
