import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { WaitingRoom } from "./waiting-room.ts";

const itemOf = (bytes: number) => ({ bytes });

async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await turn();
  return done;
}

describe("WaitingRoom", () => {
  it("is full by number or by memory, and knows the oldest item", () => {
    const room = new WaitingRoom({ count: 2, bytes: 100 }, new AbortController().signal);
    const [first, second] = [itemOf(1), itemOf(1)];
    room.add(first);
    expect([room.hasRoom, room.oldest === first]).toEqual([true, true]);
    room.add(second);
    expect([room.hasRoom, room.size]).toEqual([false, 2]);
    room.remove(first);
    expect([room.hasRoom, room.oldest === second]).toEqual([true, true]);
    room.add(itemOf(99));
    expect(room.hasRoom).toBe(false);
  });

  it("counts an item that is removed twice once", () => {
    const room = new WaitingRoom({ count: 10, bytes: 10 }, new AbortController().signal);
    const item = itemOf(6);
    room.add(item);
    room.remove(item);
    room.remove(item);
    room.add(itemOf(10));
    expect([room.size, room.hasRoom]).toEqual([1, false]);
  });

  it("wakes those that wait when half of the room is free", async () => {
    const room = new WaitingRoom({ count: 4, bytes: 100 }, new AbortController().signal);
    const items = [1, 2, 3, 4].map(itemOf);
    for (const item of items) room.add(item);
    const waiting = room.wait();
    room.remove(items[0]!);
    expect(await isDone(waiting)).toBe(false);
    room.remove(items[1]!);
    expect(await isDone(waiting)).toBe(true);
  });

  it("wakes those that wait when the publisher is stopped", async () => {
    const stop = new AbortController();
    const room = new WaitingRoom({ count: 1, bytes: 100 }, stop.signal);
    room.add(itemOf(1));
    const waiting = room.wait();
    stop.abort();
    expect(await isDone(waiting)).toBe(true);
    expect(await isDone(room.wait())).toBe(true);
  });
});
