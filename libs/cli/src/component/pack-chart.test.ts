import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newFolder } from "@landscaper/components/testing";
import { UsageError } from "../usage-error.ts";
import { packChart } from "./pack-chart.ts";

const folder = newFolder();
const file = (name: string): string => join(folder, name);
let archive: Uint8Array;

beforeAll(async () => {
  mkdirSync(file("chart"));
  writeFileSync(file("chart/Chart.yaml"), "apiVersion: v2\nname: web\nversion: 0.1.0\n");
  archive = (await packChart(file("chart"))).archive;
});
afterAll(() => rmSync(folder, { recursive: true }));

function packed(name: string): string {
  writeFileSync(file(name), archive);
  return file(name);
}

describe("packChart", () => {
  it("reads the provenance file of a packed chart, if there is one", async () => {
    const path = packed("web.tgz");
    expect((await packChart(path)).provenance).toBeUndefined();
    writeFileSync(`${path}.prov`, "signed");
    expect((await packChart(path)).provenance).toEqual(Buffer.from("signed"));
  });

  it("fails if it cannot read the provenance file", async () => {
    const path = packed("folder.tgz");
    mkdirSync(`${path}.prov`);
    const message = `${path}.prov: cannot read the provenance of the chart (EISDIR). Make the file readable, or remove it`;
    await expect(packChart(path)).rejects.toThrow(message);
    await expect(packChart(path)).rejects.toThrow(UsageError);
  });

  it("refuses pipes, which would never end", async () => {
    execFileSync("bash", ["-c", "mkfifo pipe piped.tgz.prov"], { cwd: folder });
    await expect(packChart(packed("piped.tgz"))).rejects.toThrow(
      /piped\.tgz\.prov: expected .*found a device, socket or pipe/,
    );
    await expect(packChart(file("pipe"))).rejects.toThrow(
      /pipe: expected a folder or a packed chart, found a device, socket or pipe/,
    );
  });

  it("refuses a provenance file of more than 1 MiB", async () => {
    const path = packed("large.tgz");
    writeFileSync(`${path}.prov`, "x".repeat(1024 * 1024 + 1));
    await expect(packChart(path)).rejects.toThrow(/large\.tgz\.prov: .*1048576/);
  });
});
