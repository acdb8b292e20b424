// Benchmarks on the real API server. usage: npm run bench -- installations [--count 200] [--json]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatInstallations } from "./format-report.ts";
import { benchInstallations } from "./installations.ts";

const usage = "usage: npm run bench -- installations [--count N] [--in-flight N] [--json]";
const { values, positionals } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    "in-flight": { type: "string", default: "32" },
    json: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const count = Number(values.count);
const inFlight = Number(values["in-flight"]);
if (positionals.join(" ") !== "installations" || !Number.isInteger(count) || count < 1 || !(inFlight >= 1)) {
  console.error(usage);
  process.exit(2);
}

const root = join(import.meta.dirname, "../..");
const built = spawnSync(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
if (built.status !== 0) process.exit(1);

const announce = (line: string): void => console.error(line);
const benchmark = await benchInstallations({ count, inFlight, announce });
console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatInstallations(benchmark));
