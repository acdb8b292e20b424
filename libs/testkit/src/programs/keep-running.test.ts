import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "@jest/globals";
import { waitFor } from "../wait-for.ts";
import { keepRunning } from "./keep-running.ts";

const endless = "setInterval(() => undefined, 1000)";
const runNode = (code: string): ChildProcess => spawn(process.execPath, ["-e", code], { stdio: "ignore" });

function startPrograms(...codes: readonly string[]): { started: ChildProcess[]; start: () => ChildProcess } {
  const started: ChildProcess[] = [];
  const start = (): ChildProcess => {
    const child = runNode(codes[started.length] ?? codes.at(-1) ?? "");
    started.push(child);
    return child;
  };
  return { started, start };
}

it("starts a program again that ends by itself", async () => {
  const { started, start } = startPrograms("process.exit(2)", endless);
  const kept = keepRunning(start);
  await waitFor(() => started.length === 2);
  await kept.kill();
  expect(started.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([2, "SIGKILL"]);
});

it("does not start a killed program again", async () => {
  const { started, start } = startPrograms(endless);
  const kept = keepRunning(start);
  await kept.kill();
  await kept.kill();
  expect(started).toHaveLength(1);
});

it("starts a program six times at most", async () => {
  const { started, start } = startPrograms("process.exit(2)");
  const kept = keepRunning(start);
  await waitFor(() => started.length === 6);
  const last = started.at(-1);
  if (last?.exitCode === null) await once(last, "exit");
  await kept.kill();
  expect(started).toHaveLength(6);
});

it("sends signals to the running process", async () => {
  const { started, start } = startPrograms("process.exit(2)", endless);
  const kept = keepRunning(start);
  await waitFor(() => started.length === 2);
  const [, second] = started;
  if (second === undefined) throw new Error("it was not started again");
  const gone = once(second, "exit");
  kept.signal("SIGTERM");
  expect(await gone).toEqual([null, "SIGTERM"]);
  await kept.kill();
});
