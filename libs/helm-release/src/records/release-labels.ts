/** Labels of a release, such as those of `helm install --labels`. */
export type ReleaseLabels = Readonly<Record<string, string>>;

/** What a revision changes in the labels of the release; null removes a label. */
export type LabelChanges = Readonly<Record<string, string | null>>;

/** Labels that Helm sets on each record. Users cannot set them. */
export const systemLabels: readonly string[] = ["name", "owner", "status", "version", "createdAt", "modifiedAt"];

/** Returns the labels of a record's object without those of Helm. */
export function customLabels(all: ReleaseLabels = {}): ReleaseLabels {
  return Object.fromEntries(Object.entries(all).filter(([key]) => !systemLabels.includes(key)));
}

export interface LabelVersions {
  /** Labels that the caller wants; undefined: the caller changes none. */
  readonly wanted: ReleaseLabels | undefined;
  /** Labels of the object when the caller read it. */
  readonly seen: ReleaseLabels | undefined;
  /** Labels of the object now. */
  readonly live: ReleaseLabels | undefined;
}

/** Returns the labels of an object with the caller's changes, and with those that other clients have made since the caller read it. */
export function mergeLabels({ wanted, seen = {}, live = {} }: LabelVersions): ReleaseLabels {
  if (wanted === undefined) return live;
  const before = customLabels(seen);
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(wanted, key));
  const changed = Object.entries(wanted).filter(([key, value]) => before[key] !== value);
  const kept = Object.entries(live).filter(([key]) => !removed.includes(key));
  return Object.fromEntries([...kept, ...changed]);
}

/** Returns the labels of the next revision. */
export function changeLabels(before: ReleaseLabels = {}, changes: LabelChanges = {}): ReleaseLabels {
  const entries = Object.entries({ ...before, ...changes });
  return customLabels(Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null)));
}
