import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { playPublisher, version, type PlayedPublisher } from "../../test/play-publisher.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/reference/events.md"), "utf8");
const [, example = ""] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
const [, publish = "", subscribe = ""] = /^publish: (.+)\nsubscribe: (.+)$/m.exec(page) ?? [];

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

  const startConsumer = (): void => {
    const options = {
      // Packages are found from here.
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, NATS_SERVER: server.url.replace("nats://", "") },
    };
    consumer = spawn(process.execPath, ["--input-type=module", "--eval", example], options);
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
});
