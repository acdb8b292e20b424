// Records what the real engines make of our cases, in the testdata of the libraries.
// usage: npm run record -- [NAME...] [--dry-run]      needs Go; ocm also needs docker-registry
import { readCommandLine, refuse } from "../../scripts/command-line.ts";
import { recordings } from "./recordings.ts";

const known = recordings.map(({ name }) => name);
const usage = `usage: npm run record -- [NAME...] [--dry-run]
  NAME       one of ${known.join(", ")}; default: all
  --dry-run  counts the cases that would be recorded, and starts no engine`;
const { values, positionals: names } = readCommandLine({
  usage,
  options: { "dry-run": { type: "boolean", default: false } },
  acceptsPositionals: true,
});
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) refuse(`record: unknown recording: ${unknown.join(", ")}`, usage);
for (const recording of recordings) {
  if (names.length > 0 && !names.includes(recording.name)) continue;
  if (!values["dry-run"]) recording.prepare?.();
  for (const file of recording.files()) {
    if (values["dry-run"]) {
      console.log(`would record ${recording.name}: ${file}: ${recording.count(file)} cases`);
      continue;
    }
    const cases = await recording.ask(file);
    recording.write(file, cases);
    console.log(`${recording.name}: ${file}: ${cases.length} cases`);
  }
}
