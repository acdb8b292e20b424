import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { playPublisher, version, withManager, type PlayedPublisher } from "../../test/play-publisher.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/reference/events.md"), "utf8");
const [, example = ""] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
const [, publish = "", subscribe = ""] = /^publish: (.+)\nsubscribe: (.+)$/m.exec(page) ?? [];

/** Attempts of the client library to reconnect, unless an option sets their number. */
const defaultAttempts = 10;
/** Module for the process of the example: skips the client library's pauses (up to 2.1 s) between attempts to reconnect. Its clock skips them, too. */
const shortPauses = `data:text/javascript,const set = setTimeout, now = Date.now;
let skippedMs = 0;
Date.now = () => now() + skippedMs;
const skip = (call, ms) => set(() => { skippedMs += ms; call(); }, 20);
globalThis.setTimeout = (call, ms, ...rest) => ms > 1000 && ms <= 2200 ? skip(call, ms) : set(call, ms, ...rest);`;

/** The example connects without a user, so it gets the permissions of the page. */
function configuration(): string {
  const listOf = (subjects: string): string => JSON.stringify(subjects.split(", "));
  const permissions = `{ publish: ${listOf(publish)}, subscribe: ${listOf(subscribe)} }`;
  const users = `{ user: core, password: core }, { user: reader, password: reader, permissions: ${permissions} }`;
  return `jetstream { store_dir: $STORE }\naccounts { A { jetstream: enabled, users: [ ${users} ] } }\nno_auth_user: reader`;
}

describeUnless(programAbsence("nats-server"), describe)("the consumer of docs/reference/events.md", () => {
  let server: NatsServer;
  let player: PlayedPublisher;
  let output = "";
  const readLines = (): readonly string[] => output.split("\n").slice(0, -1);
  let consumer: ChildProcess | undefined;

  const startConsumer = (flags: readonly string[] = []): void => {
    const options = {
      // Packages are found from here.
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, NATS_SERVER: server.url.replace("nats://", "") },
    };
    consumer = spawn(process.execPath, [...flags, "--input-type=module", "--eval", example], options);
    for (const stream of [consumer.stdout, consumer.stderr]) {
      stream?.on("data", (data: Buffer) => {
        output += data.toString();
      });
    }
  };
  const killConsumer = async (): Promise<void> => {
    if (consumer === undefined || consumer.exitCode !== null || consumer.signalCode !== null) return;
    const gone = once(consumer, "exit");
    consumer.kill("SIGKILL");
    await gone;
  };

  beforeEach(async () => {
    output = "";
    server = await createNatsServer(configuration());
    await server.start();
    player = playPublisher(server.url.replace("//", "//core:core@"));
    await player.ready();
  });
  afterEach(async () => {
    await killConsumer();
    await player.stop();
    await server.remove();
  });

  it("has 30 lines at most, needs no other permissions than the page names, prints transitions, reports gaps, and continues where it stopped", async () => {
    expect(example.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(30);
    startConsumer();
    player.feed.onVersion(version("2", "Init"), false);
    player.feed.onVersion(version("3", "Succeeded"), false);
    await waitFor(() => readLines().length === 2);
    player.feed.onList([version("9", "Failed")], "9");
    await waitFor(() => readLines().length === 3);
    await killConsumer();
    player.feed.onVersion(version("12", "Failed"), true);
    await player.settle();
    startConsumer();
    await waitFor(() => readLines().at(-1) === "n/u Deleted");
    expect(readLines().slice(0, 3)).toEqual(["n/u Init", "n/u Succeeded", "n/u Failed (after missed changes)"]);
  });

  it("continues when the server is back after more attempts to reconnect than the client library makes by default", async () => {
    startConsumer(["--import", shortPauses]);
    player.feed.onVersion(version("2", "Init"), false);
    await waitFor(() => readLines().length === 1);
    await server.kill();
    let attempts = 0;
    const refusing = createServer((socket) => {
      attempts++;
      socket.destroy();
    }).listen(Number(new URL(server.url).port), "127.0.0.1");
    await waitFor(() => attempts > 2 * defaultAttempts);
    refusing.close();
    await once(refusing, "close");
    await server.start();
    player.feed.onVersion(version("3", "Succeeded"), false);
    await waitFor(() => readLines().at(-1) === "n/u Succeeded");
  });

  it("ends with an error when the stream is deleted, and reads the new stream when it is started again", async () => {
    startConsumer();
    player.feed.onVersion(version("2", "Init"), false);
    await waitFor(() => readLines().length === 1);
    await withManager(server.url.replace("//", "//core:core@"), (manager) => manager.streams.delete("LANDSCAPER"));
    await waitFor(() => consumer?.exitCode === 1);
    expect(output).toContain("consumer deleted");
    player.feed.onVersion(version("3", "Succeeded"), false);
    await player.settle();
    startConsumer();
    await waitFor(() => readLines().at(-1) === "n/u Succeeded");
  });
});
