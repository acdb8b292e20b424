/** What of `describe` is used here. */
interface Describe {
  (title: string, body: () => void): void;
  readonly skip: (title: string, body: () => void) => void;
}

/**
 * `describe` for what some machines have not: where `absence` says why, the tests are skipped, and their names say so: the summary of `npm test`
 * lists that reason and does not count them as failed. The only way to skip tests here (`scripts/test-run/skipped-tests.ts`).
 */
export function describeUnless(
  absence: string | undefined,
  describe: Describe,
): (title: string, body: () => void) => void {
  if (absence === undefined) return (title, body) => describe(title, body);
  return (title, body) => describe.skip(`${title} (skipped: ${absence})`, body);
}
