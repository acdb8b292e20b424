import type { GoldenCase, GoldenResult } from "@landscaper/spiff/testing";

/** A case that the two engines do not agree on. */
export interface DifferentCase {
  readonly item: GoldenCase;
  readonly real: GoldenResult;
  readonly ours: GoldenResult | { readonly crash: string };
}

interface KnownDifference {
  /** As libs/spiff/README.md has it. */
  readonly reason: string;
  isShown(difference: DifferentCase): boolean;
}

const knownDifferences: readonly KnownDifference[] = [];

/** The listed difference that a case shows, if it shows one. */
export function knownDifference(difference: DifferentCase): string | undefined {
  return knownDifferences.find((known) => known.isShown(difference))?.reason;
}
