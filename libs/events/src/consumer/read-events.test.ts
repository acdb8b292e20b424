import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { playPublisher, version, withManager, type PlayedPublisher } from "../../test/play-publisher.ts";
import { readEvents, type ReadEventsOptions } from "./read-events.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/cli.md"), "utf8");

describeUnless(programAbsence("nats-server"), describe)("readEvents, with a real nats-server", () => {
  let server: NatsServer;
  let player: PlayedPublisher;

  const start = async (config?: string, login = ""): Promise<void> => {
    server = await createNatsServer(config);
    await server.start();
    player = playPublisher(server.url.replace("//", `//${login}`));
    await player.ready();
  };
  const read = async (servers: string, options: Partial<ReadEventsOptions> = {}): Promise<readonly string[]> => {
    const ids: string[] = [];
    for await (const { id } of readEvents({ servers, clientName: "test", ...options })) ids.push(id);
    return ids;
  };

  afterEach(async () => {
    await player.stop();
    await server.remove();
  });

  it("needs no other permissions than the guide names", async () => {
    const [, publish = "", subscribe = ""] = /^publish: (.+)\nsubscribe: (.+)$/m.exec(guide) ?? [];
    const listOf = (subjects: string): string => JSON.stringify(subjects.split(", "));
    const permissions = `{ publish: ${listOf(publish)}, subscribe: ${listOf(subscribe)} }`;
    const users = `{ user: reader, password: reader, permissions: ${permissions} }, { user: core, password: core }`;
    await start(
      `jetstream { store_dir: $STORE }\naccounts { A { jetstream: enabled, users: [ ${users} ] } }`,
      "core:core@",
    );
    const url = server.url.replace("//", "//reader:reader@");
    expect(await read(url)).toEqual([]);
    player.feed.onVersion(version("2", "Init"), false);
    await player.settle();
    expect(await read(url, { since: new Date(Date.now() - 60_000), namespace: "n" })).toEqual(["u.2"]);
  });

  describe("while it follows", () => {
    const follow = (
      servers: string,
    ): { readonly ids: string[]; readonly problems: string[]; stop(): Promise<void> } => {
      const stop = new AbortController();
      const ids: string[] = [];
      const problems: string[] = [];
      const onProblem = (problem: Error | undefined): void => void problems.push(problem?.message ?? "over");
      const following = (async () => {
        const options = { servers, clientName: "test", follows: true, signal: stop.signal, onProblem };
        for await (const { id } of readEvents(options)) ids.push(id);
      })();
      return {
        ids,
        problems,
        stop: async () => {
          stop.abort(new Error("enough"));
          await following;
        },
      };
    };

    it("continues with the event that it has not yielded when the server is back, and reports both", async () => {
      await start();
      const reader = follow(server.url);
      player.feed.onVersion(version("2", "Init"), false);
      await waitFor(() => reader.ids.includes("u.2"));
      await server.kill();
      await waitFor(() => reader.problems.length > 0);
      player.feed.onVersion(version("3", "Succeeded"), false);
      await server.start();
      await waitFor(() => reader.ids.includes("u.3"));
      await reader.stop();
      expect(reader.ids).toEqual(["u.2", "u.3"]);
      expect(reader.problems[0]).toMatch(/^NATS \(.*\) (has closed the connection|cannot be reached)/);
      expect(reader.problems.at(-1)).toBe("over");
    });

    it("continues when the server has refused its credentials for a while", async () => {
      const configWith = (password: string): string =>
        `jetstream { store_dir: $STORE }\nauthorization { users: [ { user: core, password: core }, { user: reader, password: ${password} } ] }`;
      await start(configWith("right"), "core:core@");
      const reader = follow(server.url.replace("//", "//reader:right@"));
      player.feed.onVersion(version("2", "Init"), false);
      await waitFor(() => reader.ids.includes("u.2"));
      server.reload(configWith("wrong"));
      await waitFor(() => reader.problems.some((problem) => problem.includes("refuses the credentials")));
      player.feed.onVersion(version("3", "Succeeded"), false);
      await player.settle();
      server.reload(configWith("right"));
      await waitFor(() => reader.ids.includes("u.3"));
      await reader.stop();
      expect(reader.ids).toEqual(["u.2", "u.3"]);
    });

    it("continues in a stream that was deleted and created again", async () => {
      await start();
      const reader = follow(server.url);
      player.feed.onVersion(version("2", "Init"), false);
      await waitFor(() => reader.ids.includes("u.2"));
      await withManager(server.url, async (manager) => await manager.streams.delete("LANDSCAPER"));
      player.feed.onVersion(version("3", "Succeeded"), false);
      await waitFor(() => reader.ids.includes("u.3"));
      await reader.stop();
      expect(reader.ids).toEqual(["u.2", "u.3"]);
      expect(reader.problems.every((problem) => /\.$|^over$/.test(problem))).toBe(true);
    });
  });
});
