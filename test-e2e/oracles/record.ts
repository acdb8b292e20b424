// Records what the real engines make of our cases, in the testdata of the libraries.
// usage: npm run record -- [gotemplate|goyaml|helm|helm-charts|spiff ...]      without names: all; needs Go
import { recordings } from "./recordings.ts";

const names = process.argv.slice(2);
const unknown = names.filter((name) => !recordings.some((recording) => recording.name === name));
if (unknown.length > 0) {
  const known = recordings.map(({ name }) => name).join(", ");
  console.error(`record: no such recording: ${unknown.join(", ")}; there are: ${known}`);
  process.exit(2);
}
for (const recording of recordings) {
  if (names.length > 0 && !names.includes(recording.name)) continue;
  for (const file of recording.files()) {
    const cases = await recording.ask(file);
    recording.write(file, cases);
    console.log(`${recording.name}: ${file}: ${cases.length} cases`);
  }
}
