/** What docs/errors.md says of a reason. */
export interface ReasonEntry {
  readonly cause: string;
  readonly fix: string;
}

export function entry(cause: string, fix: string): ReasonEntry {
  return { cause, fix };
}
