import { describe, expect, it } from "@jest/globals";
import { apiVersion, type Execution } from "@landscaper/api";
import { withExecutionStatus, startExecutionPass } from "./execution-pass.ts";
import { HeldPasses, remainingHoldMs } from "./held-passes.ts";

function execution(resourceVersion: string, uid = "1"): Execution {
  const metadata = { name: "root", namespace: "ns", uid, resourceVersion };
  return { apiVersion, kind: "Execution", metadata, spec: {}, status: { jobID: "a", phase: "Succeeded" } };
}

describe("the time that a status is kept back", () => {
  it.each([
    { name: "ends a second after the work began", isUnstored: true, elapsedMs: 600, others: 0, leftMs: 400 },
    { name: "is over then", isUnstored: true, elapsedMs: 1_000, others: 0, leftMs: 0 },
    { name: "never is below zero", isUnstored: true, elapsedMs: 9_000, others: 0, leftMs: 0 },
    { name: "grows with the jobs that wait", isUnstored: true, elapsedMs: 1_000, others: 200, leftMs: 4_000 },
    { name: "is ten seconds at most", isUnstored: true, elapsedMs: 1_000, others: 100_000, leftMs: 9_000 },
    { name: "is zero for a status that is stored", isUnstored: false, elapsedMs: 0, others: 200, leftMs: 0 },
  ])("$name", ({ isUnstored, elapsedMs, others, leftMs }) => {
    expect(remainingHoldMs({ beganMs: 0, isUnstored }, { elapsedMs, others })).toBe(leftMs);
  });
});

describe("a held pass", () => {
  const began = startExecutionPass(execution("7"), 1_000);
  const waiting = withExecutionStatus(began, { ...began.status, phase: "Progressing" });
  const clock = { elapsed: () => 1_400 };

  it("goes on with its status, once", () => {
    const held = new HeldPasses();
    expect(held.hold(waiting, clock)).toBe(600);
    expect(held.take(execution("7"))).toBe(waiting);
    expect(held.take(execution("7"))).toBeUndefined();
  });

  it.each([
    { name: "another version", other: execution("8") },
    { name: "another Execution of the same name", other: execution("7", "2") },
  ])("is of no use to $name", ({ other }) => {
    const held = new HeldPasses();
    held.hold(waiting, clock);
    expect(held.take(other)).toBeUndefined();
    expect(held.take(execution("7"))).toBeUndefined();
  });

  it("is not kept when all of it is stored", () => {
    const held = new HeldPasses();
    expect(held.hold(began, clock)).toBeUndefined();
    expect(held.take(execution("7"))).toBeUndefined();
  });

  it("is kept longer beside others", () => {
    const held = new HeldPasses();
    for (let index = 0; index < 50; index += 1) {
      const other = execution("7", String(index));
      held.hold(
        { ...waiting, execution: { ...other, metadata: { ...other.metadata, name: `other-${index}` } } },
        clock,
      );
    }
    expect(held.hold(waiting, clock)).toBe(1_600);
  });

  it("is forgotten with its Execution", () => {
    const held = new HeldPasses();
    held.hold(waiting, clock);
    held.forget({ namespace: "ns", name: "root" });
    expect(held.take(execution("7"))).toBeUndefined();
  });
});
