import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { runChild } from "./run-child.mjs";

const folder = mkdtempSync(join(tmpdir(), "run-child-"));
afterAll(() => rmSync(folder, { recursive: true }));

const parentFile = join(folder, "parent.mjs");
writeFileSync(
  parentFile,
  `import { runChild } from ${JSON.stringify(new URL("./run-child.mjs", import.meta.url).href)};
const { status, received } = await runChild(process.execPath, ["-e", process.argv[2]], { stdio: "inherit" });
console.log("ended", received);
process.exit(status);
`,
);

/** A parent whose child prints its process id and then lives until a signal ends it. */
async function startParent(child: string): Promise<{ readonly parent: ChildProcess; readonly pid: number }> {
  const parent = spawn(
    process.execPath,
    [parentFile, `${child}; console.log(process.pid); setInterval(() => {}, 1000);`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [line] = (await once(parent.stdout ?? parent, "data")) as [Buffer];
  return { parent, pid: Number(line.toString()) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("runChild", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)(
    "forwards %s, waits for the child and returns 128 plus the number of the signal",
    async (signal, status) => {
      const { parent, pid } = await startParent("");
      let output = "";
      parent.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
      parent.kill(signal);
      expect(await once(parent, "close")).toEqual([status, null]);
      expect(isAlive(pid)).toBe(false);
      expect(output).toBe(`ended ${signal}\n`);
    },
  );

  it("lets a child end in its own time", async () => {
    const { parent, pid } = await startParent(
      'process.on("SIGTERM", () => setTimeout(() => { console.log("cleaned up"); process.exit(0); }, 50));',
    );
    let output = "";
    parent.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    parent.kill("SIGTERM");
    expect(await once(parent, "close")).toEqual([0, null]);
    expect([output, isAlive(pid)]).toEqual(["cleaned up\nended SIGTERM\n", false]);
  });

  it("returns the exit code, or 1 if another process killed the child", async () => {
    const run = (code: string) => runChild(process.execPath, ["-e", code], { stdio: "ignore" });
    expect(await run("process.exit(7)")).toEqual({ status: 7 });
    expect(await run("process.kill(process.pid, 'SIGKILL')")).toEqual({ status: 1 });
    await expect(runChild(join(folder, "missing"), [], { stdio: "ignore" })).rejects.toThrow("ENOENT");
  });
});
