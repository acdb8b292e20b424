import { describe, expect, it } from "@jest/globals";
import { createEventAggregator } from "./event-aggregation.ts";
import type { EventAggregator, ReportedEvent } from "./event-aggregation.ts";

const nowMs = Date.UTC(2026, 0, 1);
const started: ReportedEvent = { type: "Normal", reason: "JobStarted", message: "job 1" };

type Times = Parameters<EventAggregator["take"]>[2];

function at(ms: number): Times {
  return { now: () => ms, elapsed: () => ms };
}

function about(name: string) {
  const metadata = { namespace: "n", name, uid: `uid-${name}`, labels: { a: "b" } };
  return { apiVersion: "x/v1", kind: "Item", metadata, spec: { secret: "hunter2" } };
}

describe("createEventAggregator", () => {
  it("counts the same event as one series", () => {
    const aggregator = createEventAggregator();
    const first = aggregator.take(about("a"), started, at(nowMs));
    const second = aggregator.take(about("a"), { ...started }, at(nowMs + 1_000));
    expect(first.type).toBe("new");
    expect(second).toMatchObject({ type: "repeated", entry: { count: 2, firstMs: nowMs, lastMs: nowMs + 1_000 } });
  });

  it.each([
    ["another object", about("b"), started],
    ["another reason", about("a"), { ...started, reason: "JobFinished" }],
    ["another message", about("a"), { ...started, message: "job 2" }],
    ["another type", about("a"), { ...started, type: "Warning" as const }],
  ])("takes %s for another event", (_name, object, event) => {
    const aggregator = createEventAggregator();
    aggregator.take(about("a"), started, at(nowMs));
    expect(aggregator.take(object, event, at(nowMs)).type).toBe("new");
  });

  it("begins a new event when the last one was long ago", () => {
    const aggregator = createEventAggregator();
    aggregator.take(about("a"), started, at(nowMs));
    expect(aggregator.take(about("a"), started, at(nowMs + 360_000)).type).toBe("repeated");
    expect(aggregator.take(about("a"), started, at(nowMs + 720_001)).type).toBe("new");
  });

  it("gives an object 25 events at once and one more every 30 s", () => {
    const aggregator = createEventAggregator();
    const take = (index: number, atMs: number): string =>
      aggregator.take(about("a"), { ...started, message: String(index) }, at(atMs)).type;
    const types = Array.from({ length: 30 }, (_, index) => take(index, nowMs));
    expect(types.filter((type) => type === "new")).toHaveLength(25);
    expect(types.slice(25)).toEqual(Array.from({ length: 5 }, () => "dropped"));
    expect([take(100, nowMs + 29_999), take(101, nowMs + 30_000), take(102, nowMs + 30_000)]).toEqual([
      "dropped",
      "new",
      "dropped",
    ]);
    expect(aggregator.take(about("b"), started, at(nowMs)).type).toBe("new");
  });

  it.each([-3_600_000, 3_600_000])("gives the same number when the clock is set by %i ms", (byMs) => {
    const aggregator = createEventAggregator();
    const take = (index: number, afterMs: number): string => {
      const time = { now: () => nowMs + byMs + afterMs, elapsed: () => nowMs + afterMs };
      return aggregator.take(about("a"), { ...started, message: String(index) }, time).type;
    };
    for (let index = 0; index < 25; index++) aggregator.take(about("a"), started, at(nowMs));
    expect([take(1, 29_999), take(2, 30_000), take(3, 30_000)]).toEqual(["dropped", "new", "dropped"]);
  });

  it("ends a series by the span, not by the clock that is set", () => {
    const aggregator = createEventAggregator();
    aggregator.take(about("a"), started, at(nowMs));
    const later = { now: () => nowMs + 3_600_000, elapsed: () => nowMs + 1_000 };
    expect(aggregator.take(about("a"), started, later)).toMatchObject({
      type: "repeated",
      entry: { firstMs: nowMs, lastMs: nowMs + 3_600_000 },
    });
  });

  it("never gives more than 25 at once, however long it was quiet", () => {
    const aggregator = createEventAggregator();
    aggregator.take(about("a"), started, at(nowMs));
    const laterMs = nowMs + 24 * 3_600_000;
    const types = Array.from(
      { length: 30 },
      (_, index) => aggregator.take(about("a"), { ...started, message: String(index) }, at(laterMs)).type,
    );
    expect(types.filter((type) => type === "new")).toHaveLength(25);
  });

  it("keeps of the object what an event refers to, no more", () => {
    const result = createEventAggregator().take(about("a"), started, at(nowMs));
    expect(result).toMatchObject({ type: "new" });
    expect(result.type === "new" ? result.entry.about : undefined).toEqual({
      apiVersion: "x/v1",
      kind: "Item",
      metadata: { name: "a", namespace: "n", uid: "uid-a" },
    });
  });

  it("bounds its memory and forgets the oldest", () => {
    const aggregator = createEventAggregator();
    for (let index = 0; index < 5_000; index++) aggregator.take(about(String(index)), started, at(nowMs));
    expect(aggregator.take(about("4999"), started, at(nowMs)).type).toBe("repeated");
    expect(aggregator.take(about("0"), started, at(nowMs)).type).toBe("new");
  });
});
