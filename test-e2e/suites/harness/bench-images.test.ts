// Starts the benches that need the images of this checkout. The start of all benches at their smallest size (suite documented-benches) does not build images.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { describeUnless } from "@landscaper/testkit";
import { benches } from "../../bench/benches.ts";
import { provideImages } from "../../images/provided-images.ts";

const program = join(import.meta.dirname, "../../bench/main.ts");
/** Building all images may take half of it. */
const limitMs = 1_200_000;

for (const { name, full, absence } of benches.filter(({ usesImages }) => usesImages)) {
  describeUnless(absence(full, { isSmallest: false }), describe)(`the bench of ${name}`, () => {
    it(
      "runs at its smallest size",
      () => {
        provideImages();
        const { status, stdout, stderr } = spawnSync(process.execPath, [program, name, "--smallest"], {
          encoding: "utf8",
        });
        if (status !== 0) throw new Error(`exit code ${status}\n${stdout}${stderr}`);
        expect(stdout).toMatch(/^(?:all within the budgets|missed: )/m);
      },
      limitMs,
    );
  });
}
