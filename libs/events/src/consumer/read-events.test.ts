import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { playPublisher, version, type PlayedPublisher } from "../../test/play-publisher.ts";
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

  it("connects again while it follows", async () => {
    await start();
    const end = new AbortController();
    const ids: string[] = [];
    const following = (async () => {
      const options = { servers: server.url, clientName: "test", follows: true, signal: end.signal };
      for await (const { id } of readEvents(options)) ids.push(id);
    })();
    player.feed.onVersion(version("2", "Init"), false);
    try {
      await waitFor(() => ids.includes("u.2"));
      await server.kill();
      player.feed.onVersion(version("3", "Succeeded"), false);
      await server.start();
      await waitFor(() => ids.includes("u.3"));
    } finally {
      end.abort(new Error("enough"));
      await following;
    }
    expect([...new Set(ids)]).toEqual(["u.2", "u.3"]);
  });
});
