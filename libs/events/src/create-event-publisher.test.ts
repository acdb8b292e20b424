import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { waitFor } from "@landscaper/testkit";
import { createEventPublisher } from "./create-event-publisher.ts";
import { createMemoryLog } from "../test/played-link.ts";

const data = { kind: "Installation", namespace: "n", name: "web", uid: "u", phase: "Init", jobID: "j" };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe("createEventPublisher", () => {
  it("does nothing without servers", async () => {
    const publisher = createEventPublisher({ source: "/test", servers: " " });
    publisher.publish({ data });
    await publisher.stop();
    expect(publisher.stats).toEqual({ published: 0, dropped: 0, buffered: 0, failures: 0, isConnected: false });
  });

  it("refuses servers that are no NATS URLs", () => {
    expect(() => createEventPublisher({ source: "/test", servers: "https://nats" })).toThrow(
      new TypeError('NATS servers: expected "nats://host:port" or "tls://host:port", separated by commas'),
    );
  });

  it("never blocks and never throws when nobody listens, and drops the oldest beyond its buffer", async () => {
    const log = createMemoryLog();
    const servers = `nats://127.0.0.1:${await freePort()}`;
    const publisher = createEventPublisher({ source: "/test", servers, log, bufferLimit: 100 });
    for (let index = 0; index < 2_000; index++) publisher.publish({ data: { ...data, uid: String(index) } });
    // All calls are over before the first attempt to connect has an answer.
    expect(publisher.stats).toMatchObject({ buffered: 100, dropped: 1_900, failures: 0 });
    await waitFor(() => Promise.resolve(log.lines.length > 0));
    await publisher.stop(500);
    expect(publisher.stats).toMatchObject({ published: 0, buffered: 0, dropped: 2_000, isConnected: false });
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatch(/^warn events cannot be sent for now /);
  });

  it("does not wait for a server that accepts and never says a word", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket.on("error", () => {}))).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const publisher = createEventPublisher({ source: "/test", servers: `127.0.0.1:${port}`, timeoutMs: 3_600_000 });
    publisher.publish({ data });
    await once(server, "connection");
    publisher.publish({ data: { ...data, phase: "Succeeded" } });
    // It would wait for an hour.
    await publisher.stop(200);
    expect(publisher.stats).toMatchObject({ published: 0, dropped: 2 });
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it("survives an event that cannot be made into JSON", () => {
    const log = createMemoryLog();
    const publisher = createEventPublisher({ source: "/test", servers: "127.0.0.1:1", log });
    const broken = { ...data, phase: undefined as unknown as string };
    expect(() => publisher.publish({ data: { ...broken, kind: undefined as unknown as string } })).not.toThrow();
    expect(log.lines).toHaveLength(1);
    expect(publisher.stats.buffered).toBe(0);
  });

  it("takes no events after the stop", async () => {
    const publisher = createEventPublisher({ source: "/test", servers: "127.0.0.1:1" });
    await publisher.stop(100);
    publisher.publish({ data });
    expect(publisher.stats).toMatchObject({ buffered: 0, dropped: 0 });
  });
});
