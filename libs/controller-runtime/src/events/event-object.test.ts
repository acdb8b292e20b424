import { describe, expect, it } from "@jest/globals";
import type { AggregatedEvent } from "./event-aggregation.ts";
import { boundBytes, eventName, toEventObject, toSeriesPatch } from "./event-object.ts";

const entry: AggregatedEvent = {
  about: { apiVersion: "x/v1", kind: "Item", metadata: { namespace: "n", name: "a", uid: "u", resourceVersion: "7" } },
  event: { type: "Warning", reason: "JobFailed", message: "the import db is missing" },
  firstMs: Date.UTC(2026, 0, 1),
  lastMs: Date.UTC(2026, 0, 1, 0, 1),
  count: 3,
  name: undefined,
};
const source = { component: "landscaper-core", instance: "pod-1" };

describe("toEventObject", () => {
  it("makes an event of events.k8s.io/v1", () => {
    expect(toEventObject(entry, "a.0123", source)).toEqual({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "a.0123", namespace: "n" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "landscaper-core",
      reportingInstance: "pod-1",
      action: "Reconcile",
      reason: "JobFailed",
      type: "Warning",
      note: "the import db is missing",
      regarding: { apiVersion: "x/v1", kind: "Item", namespace: "n", name: "a", uid: "u", resourceVersion: "7" },
    });
  });

  it("puts events about cluster-scoped objects into the namespace default", () => {
    const about = { ...entry.about, metadata: { name: "a", uid: "u" } };
    const event = toEventObject({ ...entry, about }, "a.0123", source);
    expect(event.metadata.namespace).toBe("default");
    expect(event.regarding).toEqual({ apiVersion: "x/v1", kind: "Item", name: "a", uid: "u" });
  });

  it("keeps notes and instance names within the limits of the API", () => {
    const long = { ...entry, event: { ...entry.event, message: `the cause ${"ä".repeat(2_000)}` } };
    const event = toEventObject(long, "a.0123", { component: "c", instance: "x".repeat(200) });
    expect(Buffer.byteLength(event.note ?? "")).toBeLessThanOrEqual(1_024);
    expect(event.note).toMatch(/^the cause ä+ \[\.\.\.\]$/);
    expect(event.reportingInstance).toHaveLength(128);
  });
});

describe("toSeriesPatch", () => {
  it("tells count and last time", () => {
    expect(toSeriesPatch(entry)).toEqual({ series: { count: 3, lastObservedTime: "2026-01-01T00:01:00.000000Z" } });
  });
});

describe("boundBytes", () => {
  it.each([
    ["short", 10, "short"],
    ["0123456789", 10, "0123456789"],
    ["01234567890", 10, "0123 [...]"],
    ["€€€€€", 12, "€€ [...]"],
    ["€€€€€", 13, "€€ [...]"],
    ["🚀🚀🚀🚀", 11, "🚀 [...]"],
  ])("bounds %p to %i bytes", (text, maxBytes, want) => {
    expect(boundBytes(text, maxBytes)).toBe(want);
    expect(Buffer.byteLength(boundBytes(text, maxBytes))).toBeLessThanOrEqual(maxBytes);
  });
});

describe("eventName", () => {
  it("stays within 253 characters", () => {
    expect(eventName("a", "0123")).toBe("a.0123");
    expect(eventName("x".repeat(300), "0123")).toBe(`${"x".repeat(248)}.0123`);
  });
});
