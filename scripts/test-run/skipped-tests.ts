// Checks that tests which need a program are skipped in one way, with a reason: a missing program is not a failure.

/** Files that may skip directly: the function, and the test of this check. */
const places: ReadonlySet<string> = new Set([
  "libs/testkit/src/programs/describe-unless.ts",
  "scripts/test-run/skipped-tests.test.ts",
]);
/** Programs that the workspace itself needs, or that every system has. */
const basePrograms: ReadonlySet<string> = new Set(["bash", "git", "node", "npx", "tar"]);

const skips = /\b(?:describe|it|test)\.(?:skip|todo)\b|\bx(?:describe|it|test)\(/g;
const starts = /\b(?:spawn|spawnSync|execFile|execFileSync|execSync|exec)\(\s*["'`]([^"'`$]*)["'`]/g;
const folders = /["'`]\/usr\/(?:local\/)?s?bin\/([\w.-]+)["'`]/g;

/** One problem per skip that does not go through `describeUnless`, and per program that is started or looked for by its bare name. Pure. */
export function checkSkips(path: string, text: string): string[] {
  if (places.has(path)) return [];
  const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([all, name]) => name ?? all);
  return [
    ...found(skips).map(
      (skip) =>
        `${path}: ${skip.replace("(", "")}: skip tests by describeUnless of @landscaper/testkit, with the reason`,
    ),
    ...[...found(starts), ...found(folders)]
      .filter((program) => !basePrograms.has(program))
      .map(
        (program) =>
          `${path}: ${program}: find programs by findProgram of @landscaper/testkit: not every machine has it`,
      ),
  ];
}
