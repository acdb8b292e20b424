import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectSocket, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { jetstreamManager } from "@nats-io/jetstream";
import type { StreamInfo } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { createEventPublisher } from "./create-event-publisher.ts";
import type { EventPublisherOptions } from "./create-event-publisher.ts";
import { describeUnless, findProgram, programAbsence, waitFor } from "@landscaper/testkit";
import { createMemoryLog } from "../test/played-link.ts";

const binary = findProgram("nats-server");
const data = { kind: "Installation", namespace: "n", name: "web", uid: "u", phase: "Init", jobID: "j" };

interface NatsServer {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real nats-server that keeps its data over a restart. */
async function createNatsServer(dir: string): Promise<NatsServer> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  let child: ChildProcess | undefined;
  return {
    url: `nats://127.0.0.1:${port}`,
    start: async () => {
      child = spawn(binary ?? "", ["-js", "-a", "127.0.0.1", "-p", String(port), "-sd", dir], { stdio: "ignore" });
      await until(() => canConnect(port));
    },
    stop: async () => {
      if (child === undefined || child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(check, { intervalMs: 20 });
}

async function readStream(url: string): Promise<{ info: StreamInfo; messages: { subject: string; body: unknown }[] }> {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  const info = await manager.streams.info("LANDSCAPER");
  const messages: { subject: string; body: unknown }[] = [];
  for (let seq = info.state.first_seq; seq <= info.state.last_seq; seq++) {
    const stored = await manager.streams.getMessage("LANDSCAPER", { seq });
    if (stored !== null) messages.push({ subject: stored.subject, body: stored.json() });
  }
  await connection.close();
  return { info, messages };
}

describeUnless(programAbsence("nats-server"), describe)("with a real nats-server", () => {
  let dir: string;
  let server: NatsServer;
  const publisherOptions = (): EventPublisherOptions => ({ source: "/test", servers: server.url, timeoutMs: 1_000 });

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "events-"));
    server = await createNatsServer(dir);
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it("makes the stream and stores the CloudEvent under its subject", async () => {
    await server.start();
    const publisher = createEventPublisher(publisherOptions());
    publisher.publish({ data });
    await until(() => publisher.stats.published === 1);
    await publisher.stop();
    const { info, messages } = await readStream(server.url);
    expect(info.config.subjects).toEqual(["landscaper.>"]);
    expect(messages).toEqual([
      {
        subject: "landscaper.installation.n.web.Init",
        body: {
          specversion: "1.0",
          id: "u.j.Init",
          source: "/test",
          type: "cloud.gardener.landscaper.installation.phase",
          subject: "n/web",
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          datacontenttype: "application/json",
          data,
        },
      },
    ]);
  });

  it("stores a transition once, though two processes report it", async () => {
    await server.start();
    for (const source of ["/one", "/two"]) {
      const publisher = createEventPublisher({ ...publisherOptions(), source });
      publisher.publish({ data });
      await publisher.stop();
      expect(publisher.stats.published).toBe(1);
    }
    expect((await readStream(server.url)).messages).toHaveLength(1);
  });

  it("leaves the settings of an existing stream alone", async () => {
    await server.start();
    const connection = await connect({ servers: server.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: "LANDSCAPER", subjects: ["landscaper.>", "other.>"], max_msgs: 7 });
    await connection.close();
    const publisher = createEventPublisher(publisherOptions());
    publisher.publish({ data });
    await publisher.stop();
    const { info } = await readStream(server.url);
    expect([info.config.max_msgs, info.config.subjects, info.state.messages]).toEqual([
      7,
      ["landscaper.>", "other.>"],
      1,
    ]);
  });

  it("delivers what was reported before the server was there", async () => {
    const publisher = createEventPublisher(publisherOptions());
    publisher.publish({ data });
    await until(() => publisher.stats.failures > 0);
    await server.start();
    await until(() => publisher.stats.published === 1);
    await publisher.stop();
    expect((await readStream(server.url)).messages).toHaveLength(1);
  });

  it("delivers everything over a restart of the server, nothing twice", async () => {
    await server.start();
    const log = createMemoryLog();
    const publisher = createEventPublisher({ ...publisherOptions(), log });
    publisher.publish({ data: { ...data, uid: "before" } });
    await until(() => publisher.stats.published === 1);
    await server.stop();
    for (let index = 0; index < 200; index++) publisher.publish({ data: { ...data, uid: `during-${index}` } });
    await until(() => publisher.stats.failures > 0);
    await server.start();
    publisher.publish({ data: { ...data, uid: "after" } });
    await until(() => publisher.stats.published === 202);
    await publisher.stop();
    const ids = (await readStream(server.url)).messages.map(({ body }) => (body as { data: { uid: string } }).data.uid);
    expect(ids).toEqual(["before", ...Array.from({ length: 200 }, (_, index) => `during-${index}`), "after"]);
    expect(publisher.stats).toMatchObject({ dropped: 0, buffered: 0 });
    expect(log.lines).toEqual([
      expect.stringMatching(/^warn events cannot be sent for now /),
      'info events are sent again {"dropped":0}',
    ]);
  });

  it("goes on when the stream was deleted under it", async () => {
    await server.start();
    const publisher = createEventPublisher(publisherOptions());
    publisher.publish({ data });
    await until(() => publisher.stats.published === 1);
    const connection = await connect({ servers: server.url });
    await (await jetstreamManager(connection)).streams.delete("LANDSCAPER");
    await connection.close();
    publisher.publish({ data: { ...data, phase: "Succeeded" } });
    await until(() => publisher.stats.published === 2);
    await publisher.stop();
    expect((await readStream(server.url)).messages.map(({ subject }) => subject)).toEqual([
      "landscaper.installation.n.web.Succeeded",
    ]);
  });
});
