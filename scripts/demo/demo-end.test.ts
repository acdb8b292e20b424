import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence, waitFor } from "@landscaper/testkit";
import { listenForEnd } from "./listen-for-end.ts";
import { readProcessStart } from "./process-start.ts";
import { reportEnds } from "./report-ends.ts";

function fakeProcess() {
  return Object.assign(new EventEmitter(), { stdout: new EventEmitter(), stderr: new EventEmitter() });
}
type FakeProcess = ReturnType<typeof fakeProcess>;

describe("listenForEnd", () => {
  it.each<[string, (demo: FakeProcess) => void]>([
    ["SIGINT", (demo) => demo.emit("SIGINT")],
    ["SIGTERM", (demo) => demo.emit("SIGTERM")],
    ["SIGHUP, which may come twice", (demo) => demo.emit("SIGHUP") && demo.emit("SIGHUP")],
    ["EPIPE on stdout", (demo) => demo.stdout.emit("error", new Error("write EPIPE"))],
    ["EIO on stderr", (demo) => demo.stderr.emit("error", new Error("write EIO"))],
  ])("aborts on %s", (_title, happen) => {
    const demo = fakeProcess();
    const signal = listenForEnd(demo);
    expect(signal.aborted).toBe(false);
    happen(demo);
    expect(signal.aborted).toBe(true);
  });

  it("leaves the second Ctrl-C to the system, and keeps listening for the other signals", () => {
    const demo = fakeProcess();
    listenForEnd(demo);
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) demo.emit(name);
    const counts = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => demo.listenerCount(name));
    expect(counts).toEqual([0, 1, 1]);
  });
});

describe("reportEnds", () => {
  it("names each process that ends until the demo ends", async () => {
    const controller = new AbortController();
    const lines: string[] = [];
    const processes = [
      { name: "core", whenEnded: Promise.resolve("ended with exit code 1"), logFile: ".demo/core.log" },
      { name: "deployer", whenEnded: once(controller.signal, "abort").then(() => "ended with SIGTERM"), logFile: "" },
    ];
    const reported = reportEnds(processes, { signal: controller.signal, print: (line) => lines.push(line) });
    await waitFor(() => lines.length === 1);
    controller.abort();
    await reported;
    expect(lines).toEqual(["core ended with exit code 1; its log is .demo/core.log"]);
  });
});

describeUnless(programAbsence("setpriv"), describe)("a process of the demo", () => {
  it("ends when the demo is killed", async () => {
    const directory = mkdtempSync(join(tmpdir(), "landscaper-process-"));
    const options = { name: "service", command: process.execPath, directory, environment: {} };
    const program = `import { startProcess } from ${JSON.stringify(join(import.meta.dirname, "start-process.ts"))};
      const args = ["-e", "process.on('SIGTERM', () => {}); console.log('pid', process.pid); setInterval(() => {}, 1000)"];
      startProcess({ ...${JSON.stringify(options)}, args });
      setInterval(() => {}, 1000);`;
    const demo = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
    try {
      const findPid = (): string | undefined => {
        const log = join(directory, "service.log");
        return existsSync(log) ? /^pid (\d+)$/m.exec(readFileSync(log, "utf8"))?.[1] : undefined;
      };
      const pid = Number(await waitFor(findPid));
      expect(readProcessStart(pid)).toMatch(/./);
      demo.kill("SIGKILL");
      await waitFor(() => readProcessStart(pid) === undefined);
    } finally {
      demo.kill("SIGKILL");
      rmSync(directory, { recursive: true });
    }
  });
});
