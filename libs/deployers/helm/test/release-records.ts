// For tests of decisions by the history of a release.
import type { ReleaseRecord, ReleaseStatus } from "@landscaper/helm-release";

/** Revisions from 1 on, with these statuses; a second word is the description. */
export function historyOf(
  ...revisions: readonly (ReleaseStatus | readonly [ReleaseStatus, string])[]
): ReleaseRecord[] {
  return revisions.map((revision, index) => {
    const [status, description] = typeof revision === "string" ? [revision, ""] : revision;
    return recordOf(index + 1, status, description);
  });
}

export function recordOf(version: number, status: ReleaseStatus, description = ""): ReleaseRecord {
  const time = `2026-01-01T00:00:0${version % 10}Z`;
  return {
    name: "app",
    namespace: "n",
    version,
    info: { first_deployed: time, last_deployed: time, deleted: "", description, status },
    chart: {},
    config: {},
    manifest: `of ${version}`,
    hooks: [],
  };
}
