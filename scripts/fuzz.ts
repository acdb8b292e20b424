// Compares generated templates and documents in our engines and in the real ones, until a difference or the time is up.
// usage: npm run fuzz -- --help      needs Go; see test-e2e/README.md
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const main = join(import.meta.dirname, "../test-e2e/src/fuzz/main.ts");
process.exit(spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1);
