import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { withManager } from "../../test/play-publisher.ts";
import { readEvents } from "./read-events.ts";

describeUnless(programAbsence("nats-server"), describe)("reading a stream with foreign messages", () => {
  let server: NatsServer;
  const event = (name: string, fields: Readonly<Record<string, unknown>> = {}): string => {
    const data = { kind: "Installation", namespace: "n", name, phase: "Init", ...fields };
    return JSON.stringify({ id: name, source: "/landscaper/h", time: "T", data });
  };
  const fill = async (bodies: readonly string[]): Promise<void> => {
    await withManager(server.url, (manager) => manager.streams.add({ name: "LANDSCAPER", subjects: ["landscaper.>"] }));
    const connection = await connect({ servers: new URL(server.url).host });
    for (const body of bodies) await jetstream(connection).publish("landscaper.installation.n.a.Init", body);
    await connection.close();
  };

  beforeEach(async () => {
    server = await createNatsServer();
    await server.start();
  });
  afterEach(async () => await server.remove());

  it("skips messages that are no events, and reports each", async () => {
    await fill([event("a"), "no json", "null", "{}", '{"data":{"kind":7}}', event("b"), "[]"]);
    const unreadable: number[] = [];
    const read: string[] = [];
    const onUnreadable = (seq: number): void => void unreadable.push(seq);
    for await (const { id } of readEvents({ servers: server.url, clientName: "test", onUnreadable })) read.push(id);
    expect([read, unreadable]).toEqual([
      ["a", "b"],
      [2, 3, 4, 5, 7],
    ]);
  });

  it.each([
    ["an error without a message", event("x", { error: { reason: "R" } })],
    ["an error that is a text", event("x", { error: "E" })],
    ["a job that is an object", event("x", { jobID: {} })],
    ["a previous phase that is a number", event("x", { previousPhase: 7 })],
    ["a name without a limit", event("x", { name: "n".repeat(5_000) })],
    ["an id that is an object", event("a").replace('"id":"a"', '"id":{}')],
    ["no source", event("a").replace("source", "other")],
  ])("skips an event with %s", async (_, body) => {
    await fill([body]);
    const unreadable: number[] = [];
    const onUnreadable = (seq: number): void => void unreadable.push(seq);
    for await (const { id } of readEvents({ servers: server.url, clientName: "test", onUnreadable }))
      throw new Error(`${id} is read`);
    expect(unreadable).toEqual([1]);
  });

  it("names a stream that is missing", async () => {
    const read = async (): Promise<void> => {
      for await (const _ of readEvents({ servers: server.url, clientName: "test" }));
    };
    await expect(read()).rejects.toThrow(
      /: cannot read the events: the stream LANDSCAPER does not exist\. The core creates it when it publishes to this server\.$/,
    );
  });

  it("leaves no consumer behind", async () => {
    await fill([event("a"), event("b")]);
    for await (const { id } of readEvents({ servers: server.url, clientName: "test", follows: true }))
      if (id === "b") break;
    await waitFor(
      async () => (await withManager(server.url, (m) => m.streams.info("LANDSCAPER"))).state.consumer_count === 0,
    );
  });

  it("leaves no consumer behind when its signal is aborted", async () => {
    await fill([event("a")]);
    const stop = new AbortController();
    const options = { servers: server.url, clientName: "test", follows: true, signal: stop.signal };
    for await (const _ of readEvents(options)) setTimeout(() => stop.abort(new Error("stop")), 50);
    const { state } = await withManager(server.url, (manager) => manager.streams.info("LANDSCAPER"));
    expect(state.consumer_count).toBe(0);
  });

  it("ends when the stream is purged before the end is read", async () => {
    await fill(Array.from({ length: 3_000 }, (_, index) => event(String(index))));
    let count = 0;
    for await (const _ of readEvents({ servers: server.url, clientName: "test" }))
      if (count++ === 10) await withManager(server.url, (manager) => manager.streams.purge("LANDSCAPER"));
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(3_000);
  });

  it("throws if the server goes away before the end is read", async () => {
    await fill(Array.from({ length: 3_000 }, (_, index) => event(String(index))));
    const read = async (): Promise<void> => {
      let count = 0;
      for await (const _ of readEvents({ servers: server.url, clientName: "test" }))
        if (count++ === 10) await server.kill();
    };
    await expect(read()).rejects.toThrow(/^NATS \(127/);
  });
});

it("gives up a server that accepts the connection and says nothing", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const servers = `nats://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const read = async (): Promise<void> => {
    for await (const _ of readEvents({ servers, clientName: "test", follows: true }));
  };
  await expect(read()).rejects.toThrow(
    /^NATS \(127\.0\.0\.1:\d+\) cannot be reached: no answer within 3 s\. Check that NATS_URL names a NATS server/,
  );
  for (const socket of sockets) socket.destroy();
  silent.close();
});
