import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { startTurnMonitor, type TurnMonitor } from "./turn-monitor.ts";

function work(ms: number): void {
  const start = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= ms * 1000) return;
  }
}

describe("the monitor of turns", () => {
  let monitor: TurnMonitor;
  beforeEach(() => {
    monitor = startTurnMonitor();
  });
  afterEach(() => monitor.stop());

  it("measures the longest work without a pause, and no waiting", async () => {
    await sleep(400);
    expect(monitor.longestMs).toBeLessThan(250);
    work(300);
    await sleep(1);
    expect(monitor.longestMs).toBeGreaterThanOrEqual(299);
  });

  it("tells short turns that follow each other from a long one", async () => {
    for (let turn = 0; turn < 10; turn++) {
      work(30);
      await nextRound();
    }
    expect(monitor.longestMs).toBeGreaterThanOrEqual(29);
    expect(monitor.longestMs).toBeLessThan(250);
  });

  it("does not look while nothing else happens", () => {
    // In a process of its own: that of the tests is woken by what other tests have left.
    const program = `
      import { startTurnMonitor } from ${JSON.stringify(join(import.meta.dirname, "turn-monitor.ts"))};
      let looks = 0;
      const usage = process.threadCpuUsage;
      process.threadCpuUsage = (...args) => (looks++, usage.apply(process, args));
      startTurnMonitor();
      setTimeout(() => console.log(looks), 500);
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(Number(stdout)).toBeLessThanOrEqual(3);
  });
});
