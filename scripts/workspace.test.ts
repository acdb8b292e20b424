import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

describe("workspace.ts", () => {
  it("refuses an unknown flag instead of checking without it", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "workspace.ts"), "--fxi"],
      {
        encoding: "utf8",
      },
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("unknown flag --fxi\nusage: node scripts/workspace.ts [--fix]");
  });
});
