import { differenceNames, otherVersion, type DifferenceName } from "./dialect-differences.ts";
import type { HelmVersion } from "./helm-version.ts";

/** Objects by an identifier, with a text that is equal for equal objects. */
export type ObjectTexts = ReadonlyMap<string, string>;

/** A rendering with the dialect of a version in which one difference is replaced. */
export interface HybridRequest {
  readonly version: HelmVersion;
  readonly replaced: DifferenceName;
}

export interface ExplainOptions {
  readonly version: HelmVersion;
  /** As the version renders them. */
  readonly before: ObjectTexts;
  /** As the other version renders them. */
  readonly after: ObjectTexts;
  /** Returns undefined if the rendering fails. */
  readonly render: (request: HybridRequest) => Promise<ObjectTexts | undefined>;
}

/** Differences that change an object. If there are several, each alone or only all together change it. */
export type Causes = ReadonlyMap<string, readonly DifferenceName[]>;

/**
 * Finds which differences between two versions of Helm change the objects of a chart. A difference is a cause if it alone changes the object,
 * taken from the other version. For objects that no difference changes alone, it is a cause if without it the object is not as in the other
 * version. Renders at most twice for each difference. Pure apart from `render`.
 */
export async function explainChanges({ version, before, after, render }: ExplainOptions): Promise<Causes> {
  const changed = idsThatDiffer(before, after);
  const causes = await findCauses(changed, before, async (replaced) => render({ version, replaced }));
  const unexplained = changed.filter((id) => !causes.has(id));
  const other = otherVersion(version);
  const together = await findCauses(unexplained, after, async (replaced) => render({ version: other, replaced }));
  return new Map([...causes, ...together]);
}

/** Returns the objects that only one side has, or that differ. */
export function idsThatDiffer(before: ObjectTexts, after: ObjectTexts): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));
}

async function findCauses(
  ids: readonly string[],
  base: ObjectTexts,
  render: (replaced: DifferenceName) => Promise<ObjectTexts | undefined>,
): Promise<Map<string, DifferenceName[]>> {
  const causes = new Map<string, DifferenceName[]>();
  if (ids.length === 0) return causes;
  for (const name of differenceNames) {
    const objects = await render(name);
    if (objects === undefined) continue;
    for (const id of ids) {
      if (objects.get(id) !== base.get(id)) causes.set(id, [...(causes.get(id) ?? []), name]);
    }
  }
  return causes;
}
