import { imagesAbsence } from "../images/provided-images.ts";
import type { WaitingType } from "./waiting/waiting-items.ts";

/** Values of the flags of all benches. */
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
  /** Whether the run does not judge the figures. Pauses that only make figures comparable are short then. */
  readonly isSmallest: boolean;
}

export interface BenchResult {
  /** Human-readable report. */
  readonly report: string;
  /** Figures for machines. */
  readonly figures: object;
  /** One line per figure over its budget. */
  readonly misses: readonly string[];
}

/** A bench with its flags and sizes. */
export interface Bench {
  readonly name: string;
  /** One line: what the bench compares, and what it needs. */
  readonly summary: string;
  /** The flags of the bench, with their values in a full run. */
  readonly full: Partial<FlagValues>;
  /** The same flags with the smallest values at which the bench still runs through all its parts. */
  readonly smallest: Partial<FlagValues>;
  /** Whether the bench starts bundles of `dist/`. */
  readonly usesBundles: boolean;
  /** Whether it needs the images of this checkout. Building them takes minutes, so the smallest size only takes those of an earlier build. */
  readonly usesImages: boolean;
  /** Returns why this machine cannot run the bench; undefined if it can. */
  readonly absence: (values: Partial<FlagValues>, context: Pick<BenchContext, "isSmallest">) => string | undefined;
  readonly run: (values: Partial<FlagValues>, context: BenchContext) => Promise<BenchResult>;
}

/** A Bench whose `run` and `absence` are typed for its own flags. */
interface Definition<Name extends FlagName> {
  readonly name: string;
  readonly summary: string;
  readonly full: Pick<FlagValues, Name>;
  readonly smallest: Pick<FlagValues, Name>;
  readonly usesBundles?: boolean;
  readonly absence?: (values: Pick<FlagValues, Name>) => string | undefined;
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
    usesImages,
    absence: (values, { isSmallest }) =>
      definition.absence?.({ ...full, ...values }) ?? (isSmallest && usesImages ? imagesAbsence() : undefined),
    run: async (values, context) => run({ ...full, ...values }, context),
  };
}

/** Returns the result of a bench with its report. */
export function resultOf<T extends { readonly misses: readonly string[] }>(
  figures: T,
  format: (figures: T) => string,
): BenchResult {
  return { report: format(figures), figures, misses: figures.misses };
}
