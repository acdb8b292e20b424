import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

describe("npm run lint", () => {
  it("names its checks in words that need no quotes on the command line", () => {
    const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, "lint.ts"), "--help"], {
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toContain("NAME  one of workspace, commands, types, lint, format, dead-code; default: all\n");
  });
});
