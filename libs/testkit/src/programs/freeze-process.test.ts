import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "@jest/globals";
import { freezeProcess, listThreadStates } from "./freeze-process.ts";

/** Busy threads: more than a machine has processors, so that some of them wait for one when the signal arrives. */
const program = `
const { Worker } = require("node:worker_threads");
for (let thread = 0; thread < 8; thread += 1) new Worker("for (;;);", { eval: true });
console.log("ready");`;

it("freezeProcess resolves when each thread stands still, and SIGCONT resumes them", async () => {
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    await freezeProcess(pid);
    const states = listThreadStates(pid);
    expect(states.length).toBeGreaterThan(8);
    expect(new Set(states)).toEqual(new Set(["T"]));
    child.kill("SIGCONT");
    expect(listThreadStates(pid)).not.toEqual(states);
  } finally {
    child.kill("SIGKILL");
  }
});
