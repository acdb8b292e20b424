import { describe, expect, it } from "@jest/globals";
import { goldenFiles, readCases, readDifferences, readGolden, runOurs } from "../test/oracle.ts";

// `npm run record -- spiff` records the results of the original (v1.7.0-beta-7) again.
describe.each(goldenFiles())("the original and %s", (file) => {
  const golden = readGolden(file);
  const differences = readDifferences(file);

  it.each(readCases(file))("agree on $name", (item) => {
    expect(runOurs(item)).toEqual(differences[item.name]?.ours ?? golden[item.name]);
  });

  it("differ only where a case and a reason are written down", () => {
    const names = new Set(readCases(file).map(({ name }) => name));
    const unfounded = Object.entries(differences).filter(([name, difference]) => {
      const isSame = JSON.stringify(difference.ours) === JSON.stringify(golden[name]);
      return !names.has(name) || isSame || difference.reason === "";
    });
    expect(unfounded.map(([name]) => name)).toEqual([]);
  });
});
