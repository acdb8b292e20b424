import type { TestNamespace } from "../namespaces/test-namespace.ts";

export const areas = [
  "installations",
  "imports",
  "targets",
  "blueprints",
  "components",
  "objects",
  "charts",
  "containers",
] as const;

/** What mistakes need beside their namespace. */
export interface Surroundings {
  /** Origin of a registry with the components and charts of the tables: `http://HOST:PORT`. */
  readonly registry: string;
}

/** A mistake that a user makes, and the patterns of an explanation that he can act on. */
export interface Mistake {
  readonly area: (typeof areas)[number];
  readonly title: string;
  /** Makes the mistake with the Installation "root". Resolves when its explanation is readable. */
  readonly make: (scope: TestNamespace, surroundings: Surroundings) => Promise<void>;
  /** True: needs the scheduler or the logs of the embedded server. The Pods of the real one have no logs. */
  readonly isEmbeddedOnly?: boolean;
  /** Object and field, or file and line, that are wrong. */
  readonly place: RegExp;
  /** What is wrong there. */
  readonly cause: RegExp;
  /** What the user has to do. */
  readonly remedy: RegExp;
  /** Text that misleads the user. */
  readonly misleading?: RegExp;
}

/** What a user reads after a mistake. */
export interface Outputs {
  /** Status and Events of the Installation, as `kubectl describe` prints them. */
  readonly describe: string;
  /** `landscaper tree root` */
  readonly tree: string;
  /** `landscaper why installation/root` */
  readonly why: string;
}

export type Score = 0 | 1 | 2;

export interface Verdict {
  readonly score: Score;
  /** Parts of an explanation that no output has, and "misleading" if an output has a misleading text. */
  readonly lacks: readonly string[];
}
