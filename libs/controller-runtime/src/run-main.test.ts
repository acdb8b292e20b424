import { EventEmitter } from "node:events";
import { LandscaperError } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { ConnectionError } from "./client/api-error.ts";
import { runMain } from "./run-main.ts";

function fakeProcess() {
  const emitter = new EventEmitter();
  const codes: number[] = [];
  let text = "";
  return {
    on: (signal: string, listener: () => void) => emitter.on(signal, listener),
    off: (signal: string, listener: () => void) => emitter.off(signal, listener),
    exit: (code: number) => void codes.push(code),
    stderr: { write: (part: string) => (text += part) },
    send: (signal: string) => emitter.emit(signal),
    listeners: () => emitter.listenerCount("SIGTERM") + emitter.listenerCount("SIGINT"),
    versions: { node: "24.0.0" },
    codes,
    text: () => text,
  };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

describe("runMain", () => {
  it("ends with 0 when the work is done", async () => {
    const process = fakeProcess();
    await runMain(() => Promise.resolve(), process);
    expect([process.codes, process.text(), process.listeners()]).toEqual([[0], "", 0]);
  });

  it.each(["SIGTERM", "SIGINT"])("ends in good order on %s", async (signal) => {
    const process = fakeProcess();
    const main = runMain(untilAborted, process);
    process.send(signal);
    await main;
    expect(process.codes).toEqual([0]);
  });

  it("does not begin on a Node that is too old", async () => {
    const process = { ...fakeProcess(), versions: { node: "22.21.1" } };
    await runMain(() => Promise.reject(new Error("began")), process);
    expect([process.codes, process.text()]).toEqual([
      [1],
      "error: Node 22.21.1: expected Node 24 or newer\nhint: in a checkout, npm run setup installs one as node_modules/node/bin/node\n",
    ]);
  });

  it("counts work that rejects with the stop's own reason as ended in good order", async () => {
    const process = fakeProcess();
    const main = runMain(async (signal) => {
      await untilAborted(signal);
      signal.throwIfAborted();
    }, process);
    process.send("SIGTERM");
    await main;
    expect([process.codes, process.text()]).toEqual([[0], ""]);
  });

  it("ends at once on the second signal", async () => {
    const process = fakeProcess();
    void runMain(() => new Promise(() => {}), process);
    process.send("SIGTERM");
    expect(process.codes).toEqual([]);
    process.send("SIGINT");
    expect(process.codes).toEqual([130]);
  });

  it("tells users of their mistake without a stack, with the hint", async () => {
    const process = fakeProcess();
    const error = new LandscaperError({
      message: "kubeconfig: current-context is missing",
      reason: "R",
      hint: "set it",
    });
    await runMain(() => Promise.reject(error), process);
    expect([process.codes, process.text()]).toEqual([
      [1],
      "error: kubeconfig: current-context is missing\nhint: set it\n",
    ]);
  });

  it("tells of a server that does not answer without a stack", async () => {
    const process = fakeProcess();
    const request = { method: "GET", path: "/version" };
    const error = new ConnectionError(request, { server: "https://api", problem: "ECONNREFUSED", maybeSent: false });
    await runMain(() => Promise.reject(error), process);
    expect(process.text()).toBe("error: GET /version: no answer from https://api (ECONNREFUSED)\n");
  });

  it("shows the stack of our own mistakes", async () => {
    const process = fakeProcess();
    await runMain(() => Promise.reject(new TypeError("x is not a function")), process);
    expect(process.codes).toEqual([1]);
    expect(process.text()).toMatch(/^error: TypeError: x is not a function\n\s+at /);
  });

  it("survives that something other than an error is thrown", async () => {
    const process = fakeProcess();
    await runMain(async () => {
      throw "a text" as unknown;
    }, process);
    expect([process.codes, process.text()]).toEqual([[1], "error: a text\n"]);
  });
});
