import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { machineArchitecture } from "./machine-architecture.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "images-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the command with the programs of the folder alone. */
function dryRun(): readonly unknown[] {
  const script = join(import.meta.dirname, "../images.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "landscaper-core", "--dry-run"], {
    env: { PATH: folder },
    encoding: "utf8",
  });
  return [status, stdout, stderr];
}

const build = `would build dist/images/landscaper-core-${machineArchitecture}.tar\n`;

describe("npm run images -- --dry-run", () => {
  it("says that both buildah and docker are missing", () => {
    const problem =
      "expected buildah, or docker with its daemon, to build images; found neither; install Debian's buildah";
    expect(dryRun()).toEqual([0, `${build}missing: ${problem}\n`, ""]);
  });

  it("accepts docker if buildah is missing", () => {
    writeFileSync(join(folder, "docker"), "#!/bin/sh\n", { mode: 0o755 });
    const warning =
      "buildah is missing: docker builds other layers each time, because it does not set the times of files";
    expect(dryRun()).toEqual([0, `${build}warning: ${warning}\n`, ""]);
  });
});
