import type { BlueprintFiles } from "./blueprint-source.ts";

/** Runs executions of type Spiff. Templates are YAML values or text. */
export interface SpiffEngine {
  execute(options: {
    readonly name: string;
    readonly template: unknown;
    readonly bindings: Readonly<Record<string, unknown>>;
    readonly files: BlueprintFiles;
    /** The state stored by the last run; undefined on the first run or when the execution keeps none. */
    readonly state: unknown;
  }): { readonly output: unknown; readonly state: unknown };
}
