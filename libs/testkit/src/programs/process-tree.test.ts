import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "@jest/globals";
import { waitFor } from "../wait-for.ts";
import { childrenOf, commandOf, findBelow } from "./process-tree.ts";

it("finds the children of a process, what they run, and the first one below those that start others", async () => {
  const script = `require("node:child_process").spawn(process.execPath, ["--title=child", "-e", "setTimeout(() => 0, 60_000)"]);
    process.stdin.on("end", () => process.exit(0)).resume();`;
  const starter = spawn(process.execPath, ["--title=starter", "-e", script], { stdio: ["pipe", "ignore", "ignore"] });
  const pid = starter.pid ?? 0;
  await waitFor(async () => childrenOf(pid).some((child) => commandOf(child) === "child"));
  const [child = 0] = childrenOf(pid);
  expect(childrenOf(process.pid)).toContain(pid);
  expect([commandOf(pid), commandOf(child), findBelow(pid, [])]).toEqual(["starter", "child", child]);
  expect(findBelow(pid, ["child"])).toBeUndefined();
  process.kill(child);
  await waitFor(async () => commandOf(child) === "");
  starter.stdin?.end();
  await once(starter, "exit");
  expect([childrenOf(pid), commandOf(pid)]).toEqual([[], ""]);
});
