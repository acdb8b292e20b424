import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "@jest/globals";
import { waitFor } from "../wait-for.ts";
import { superviseProcess } from "./supervise-process.ts";

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

it("restarts a program that exits", async () => {
  const { started, start } = startPrograms("process.exit(2)", endless);
  const supervised = superviseProcess(start);
  await waitFor(() => started.length === 2);
  await supervised.kill();
  expect(started.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([2, "SIGKILL"]);
});

it("does not restart a killed program", async () => {
  const { started, start } = startPrograms(endless);
  const supervised = superviseProcess(start);
  await supervised.kill();
  await supervised.kill();
  expect(started).toHaveLength(1);
});

it("restarts a program at most five times", async () => {
  const { started, start } = startPrograms("process.exit(2)");
  const supervised = superviseProcess(start);
  await waitFor(() => started.length === 6);
  const last = started.at(-1);
  if (last?.exitCode === null) await once(last, "exit");
  await supervised.kill();
  expect(started).toHaveLength(6);
});

it("sends signals to the restarted process", async () => {
  const { started, start } = startPrograms("process.exit(2)", endless);
  const supervised = superviseProcess(start);
  await waitFor(() => started.length === 2);
  const [, second] = started;
  if (second === undefined) throw new Error("the program was not restarted");
  const gone = once(second, "exit");
  supervised.signal("SIGTERM");
  expect(await gone).toEqual([null, "SIGTERM"]);
  await supervised.kill();
});
