/** What a test file says that waits for time, for a process or for a server. */
const waits =
  /\b(waitFor|setTimeout|spawn|fork|execFile|createSystemClock|startLocalCluster|startTestCluster|setUpCore|createServer)\b/;

/** Suites whose subject is time, or the end of a process: on the embedded API server, beside the packages' tests. */
export const soakedSuites: readonly string[] = [
  "deployer-continuous",
  "deployer-jobs",
  "hostile/neighbours",
  "idle-watches",
  "operations",
  "replicas",
  "triggers",
  "waiting",
];

/** Whether a test file of a package waits for something that a slow machine makes late. Pure. */
export function isSensitive(source: string): boolean {
  return waits.test(source);
}

export interface Round {
  readonly failed: readonly string[];
  readonly seconds: number;
}

/** Whether another round like the longest one ends within the time. Pure. */
export function fitsAnother(rounds: readonly Round[], limitSeconds: number): boolean {
  const spent = rounds.reduce((sum, { seconds }) => sum + seconds, 0);
  const longest = Math.max(0, ...rounds.map(({ seconds }) => seconds));
  return spent + longest <= limitSeconds;
}

/** Lines for people: how often each test failed, and how many rounds there were. Pure. */
export function describeSoak(rounds: readonly Round[], wanted: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of rounds.flatMap(({ failed }) => failed)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const lines = [...counts].map(([name, count]) => `failed in ${count} of ${rounds.length} rounds: ${name}`);
  const minutes = rounds.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  const missing = rounds.length < wanted ? `; the time was up before all ${wanted} were done` : "";
  return [...lines.toSorted(), `${rounds.length} rounds in ${minutes.toFixed(0)} minutes${missing}`];
}
