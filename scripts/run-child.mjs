// Plain JavaScript for Node 20: bootstrap.mjs uses it before the tools are there.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const forwarded = ["SIGTERM", "SIGHUP"];

export async function runChild(command, args, options) {
  const child = spawn(command, args, options);
  let received;
  const forward = (signal) => {
    received = signal;
    child.kill(signal);
  };
  // A terminal sends SIGINT to its whole process group, so the child has it already.
  const interrupt = (signal) => {
    received = signal;
    if (!process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  process.on("SIGINT", interrupt);
  try {
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    return received === undefined
      ? { status: code ?? 1 }
      : { status: code ?? 128 + constants.signals[received], received };
  } finally {
    for (const signal of forwarded) process.off(signal, forward);
    process.off("SIGINT", interrupt);
  }
}
