import { describe, expect, it } from "@jest/globals";
import { createEventBuffer } from "./event-buffer.ts";
import type { PendingMessage } from "./event-buffer.ts";

function message(id: string): PendingMessage {
  return { id, subject: "s", body: "{}" };
}

function ids(messages: readonly PendingMessage[]): string {
  return messages.map(({ id }) => id).join("");
}

describe("createEventBuffer", () => {
  it("gives the oldest first and keeps them until they are removed", () => {
    const buffer = createEventBuffer(10);
    for (const id of "abc") buffer.push(message(id));
    expect(ids(buffer.head(2))).toBe("ab");
    expect(ids(buffer.head(2))).toBe("ab");
    expect(buffer.size).toBe(3);
  });

  it("drops and counts the oldest when it is full", () => {
    const buffer = createEventBuffer(3);
    for (const id of "abcde") buffer.push(message(id));
    expect([ids(buffer.head(10)), buffer.size, buffer.dropped]).toEqual(["cde", 3, 2]);
  });

  it("removes what was acknowledged, wherever it stands", () => {
    const buffer = createEventBuffer(10);
    for (const id of "abcd") buffer.push(message(id));
    const [a, , c] = buffer.head(4);
    expect(buffer.remove(new Set([a!, c!]))).toBe(2);
    expect(ids(buffer.head(10))).toBe("bd");
  });

  it("tells apart what was acknowledged after it had been dropped", () => {
    const buffer = createEventBuffer(2);
    for (const id of "ab") buffer.push(message(id));
    const sent = buffer.head(2);
    buffer.push(message("c"));
    expect(buffer.remove(new Set(sent))).toBe(1);
    expect([ids(buffer.head(10)), buffer.dropped]).toEqual(["c", 1]);
  });
});
