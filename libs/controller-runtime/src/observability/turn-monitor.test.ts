import { describe, expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { startTurnMonitor } from "./turn-monitor.ts";

function work(ms: number): void {
  const start = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= ms * 1000) return;
  }
}

describe("the monitor of turns", () => {
  it("measures the longest work without a pause, and no waiting", async () => {
    const monitor = startTurnMonitor();
    await sleep(400);
    expect(monitor.longestMs).toBeLessThan(250);
    work(300);
    await sleep(30);
    expect(monitor.longestMs).toBeGreaterThanOrEqual(299);
    monitor.stop();
  });
});
