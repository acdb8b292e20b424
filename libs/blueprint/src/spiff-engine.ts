import type { BlueprintFiles } from "./blueprint-source.ts";

export interface SpiffExecution {
  /** Names the template in errors. */
  readonly name: string;
  /** YAML as data, or text. */
  readonly template: unknown;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly files: BlueprintFiles;
  /** What the last run stored; undefined on the first run, and for executions that keep no state. */
  readonly state: unknown;
}

/** Runs executions of type Spiff. Throws LandscaperError. */
export interface SpiffEngine {
  execute(execution: SpiffExecution): { readonly output: unknown; readonly state: unknown };
}
