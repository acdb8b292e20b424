import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export const serviceCharts = [
  "landscaper",
  "manifest-deployer",
  "helm-deployer",
  "container-deployer",
  "mock-deployer",
  "landscaper-agent",
] as const;
export const stackChart = "landscaper-stack";
export const allCharts = [...serviceCharts, stackChart] as const;
export type ChartName = (typeof allCharts)[number];

/** The charts of this checkout as `npm run charts` leaves them, in a folder of their own. */
export interface PackedCharts {
  readonly folder: string;
  /** Folder of a chart with what it depends on. */
  path(chart: ChartName): string;
  dispose(): void;
}

/** Runs what `npm run charts` runs. Throws with its words when it fails. */
export function packCharts(): PackedCharts {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-charts-"));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/charts.ts", "--output", folder], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm run charts failed: ${stderr}`);
  return {
    folder,
    path: (chart) => join(folder, chart),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
