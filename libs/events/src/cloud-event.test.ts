import { describe, expect, it } from "@jest/globals";
import { eventId, toCloudEvent } from "./cloud-event.ts";
import type { EventData } from "./cloud-event.ts";

const data: EventData = {
  kind: "Installation",
  namespace: "team-a",
  name: "web",
  uid: "0b7e",
  phase: "Failed",
  jobID: "job-1",
  error: { reason: "ImportNotFound", message: "the DataObject db is missing" },
};
const origin = { source: "/landscaper-core/pod-1", nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6) };

describe("toCloudEvent", () => {
  it("makes a complete CloudEvents 1.0 event", () => {
    expect(toCloudEvent({ data }, origin)).toEqual({
      specversion: "1.0",
      id: "0b7e.job-1.Failed.121e700c91aee2ab",
      source: "/landscaper-core/pod-1",
      type: "cloud.gardener.landscaper.installation.phase",
      subject: "team-a/web",
      time: "2026-01-02T03:04:05.006Z",
      datacontenttype: "application/json",
      data,
    });
  });

  it("takes type and subject of the caller", () => {
    const event = toCloudEvent({ type: "x.y", subject: "s", data }, origin);
    expect([event.type, event.subject]).toEqual(["x.y", "s"]);
  });

  it("names a cluster-scoped object without a namespace", () => {
    const { subject, data: sent } = toCloudEvent({ data: { ...data, namespace: undefined } }, origin);
    expect(subject).toBe("web");
    expect(Object.keys(sent)).toEqual(["kind", "name", "uid", "phase", "jobID", "error"]);
  });

  it("sends no field that it does not know, so that no value gets out by mistake", () => {
    const careless = {
      ...data,
      spec: { imports: "hunter2" },
      error: { reason: "R", message: "m", values: "hunter2", stack: "hunter2" },
    };
    const event = toCloudEvent({ data: careless }, origin);
    expect(JSON.stringify(event)).not.toContain("hunter2");
    expect(event.data).toEqual({ ...data, error: { reason: "R", message: "m" } });
  });

  it("bounds the error message and keeps its end", () => {
    const message = `${"x".repeat(5_000)} the cause`;
    const sent = toCloudEvent({ data: { ...data, error: { reason: "R", message } } }, origin).data.error?.message ?? "";
    expect(sent).toHaveLength(1_024);
    expect(sent).toMatch(/^\[\.\.\. \d+ characters cut\] x+ the cause$/);
  });
});

describe("eventId", () => {
  it("is the same for the same transition of the same job", () => {
    expect(eventId({ ...data, name: "renamed" })).toBe(eventId(data));
  });

  it.each([
    ["another object", { uid: "other" }],
    ["another job", { jobID: "job-2" }],
    ["another phase", { phase: "Succeeded" }],
    ["another error", { error: { reason: "ImportNotFound", message: "the DataObject cache is missing" } }],
    ["no error", { error: undefined }],
  ])("differs for %s", (_name, change) => {
    expect(eventId({ ...data, ...change })).not.toBe(eventId(data));
  });

  it("is readable for a transition without an error", () => {
    expect(eventId({ ...data, phase: "Init", error: undefined })).toBe("0b7e.job-1.Init");
    expect(eventId({ ...data, jobID: undefined, phase: "Init", error: undefined })).toBe("0b7e..Init");
  });
});
