import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

it.each<[script: string, words: readonly string[], message: string]>([
  ["new", [], 'new: expected "deployer" or "package", found nothing'],
  ["build", ["--outdir="], '--outdir: expected a folder that does not contain the workspace, such as dist, found ""'],
  [
    "build",
    ["--outdir", ".."],
    '--outdir: expected a folder that does not contain the workspace, such as dist, found ".."',
  ],
  ["images", ["nosuch"], "images: there is no image nosuch; there are: "],
  ["images", ["--arch", "x86", "--dry-run"], "images: --arch: expected arm64"],
  ["components", [], "components: --registry: expected HOST/PREFIX of the images, found nothing"],
  ["release", ["--dry-run"], "release: VERSION: expected a semantic version"],
])("npm run %s -- %j exits with 2 and prints the usage", (script, words, message) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, `${script}.ts`), ...words],
    {
      encoding: "utf8",
    },
  );
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining(`\nusage: npm run ${script} `),
  });
  expect(stderr).toContain(message);
});
