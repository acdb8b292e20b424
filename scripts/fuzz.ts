// Compares generated templates and documents in our engines and in the real ones, until a difference or the time is up.
// usage: npm run fuzz -- --help      needs Go; see test-e2e/README.md
import { join } from "node:path";
import { runChild } from "./run-child.mjs";

const main = join(import.meta.dirname, "../test-e2e/src/fuzz/main.ts");
const { status } = await runChild(process.execPath, [main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status);
