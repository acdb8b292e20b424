import { imagesAbsence } from "../images/provided-images.ts";
import type { WaitingType } from "./waiting/waiting-items.ts";

/** Values of all flags that benches have. */
export interface FlagValues {
  readonly count: number;
  readonly "in-flight": number;
  readonly rounds: number;
  readonly milliseconds: number;
  readonly type: WaitingType;
  readonly played: boolean;
}

export type FlagName = keyof FlagValues;

export interface BenchContext {
  readonly announce: (line: string) => void;
  /** The figures will not be judged: pauses that only make them comparable are short. */
  readonly isSmallest: boolean;
}

export interface BenchResult {
  /** For people. */
  readonly report: string;
  /** For machines. */
  readonly figures: object;
  /** One line per figure over its budget. */
  readonly misses: readonly string[];
}

/** A bench as its user sees it. */
export interface Bench {
  readonly name: string;
  /** What it compares, and what it needs. */
  readonly summary: string;
  /** The flags that it has, with their values in a full run. */
  readonly full: Partial<FlagValues>;
  /** The same flags with the smallest values at which the bench still runs through all its parts. */
  readonly smallest: Partial<FlagValues>;
  /** Whether it starts bundles of `dist/`. */
  readonly usesBundles: boolean;
  /** Why this machine cannot run it; undefined if it can. */
  readonly absence: (values: Partial<FlagValues>, context: Pick<BenchContext, "isSmallest">) => string | undefined;
  readonly run: (values: Partial<FlagValues>, context: BenchContext) => Promise<BenchResult>;
}

/** The same, with `run` and `absence` for the flags of this bench. */
interface Definition<Name extends FlagName> {
  readonly name: string;
  readonly summary: string;
  readonly full: Pick<FlagValues, Name>;
  readonly smallest: Pick<FlagValues, Name>;
  readonly usesBundles?: boolean;
  readonly absence?: (values: Pick<FlagValues, Name>) => string | undefined;
  /** Whether it needs the images of this checkout. Building them takes minutes, so the smallest size only takes those of an earlier build. */
  readonly usesImages?: boolean;
  readonly run: (values: Pick<FlagValues, Name>, context: BenchContext) => Promise<BenchResult>;
}

export function defineBench<Name extends FlagName>(definition: Definition<Name>): Bench {
  const { name, summary, full, smallest, usesBundles = true, usesImages = false, run } = definition;
  return {
    name,
    summary,
    full,
    smallest,
    usesBundles,
    absence: (values, { isSmallest }) =>
      definition.absence?.({ ...full, ...values }) ?? (isSmallest && usesImages ? imagesAbsence() : undefined),
    run: async (values, context) => run({ ...full, ...values }, context),
  };
}

/** The result of a bench with its report. */
export function resultOf<T extends { readonly misses: readonly string[] }>(
  figures: T,
  format: (figures: T) => string,
): BenchResult {
  return { report: format(figures), figures, misses: figures.misses };
}
