import { parse } from "yaml";
import type { ItemTemplate } from "./original-execution.ts";

/** What blueprints of the landscapes here use. */
export interface Blueprint {
  readonly deployExecutions?: readonly { readonly template: string }[];
  readonly exportExecutions?: readonly { readonly template: string }[];
  readonly subinstallations?: readonly {
    readonly name: string;
    readonly blueprint: unknown;
    readonly imports?: unknown;
    readonly exports?: unknown;
  }[];
}

export interface Rendered {
  readonly deployItems?: readonly ItemTemplate[];
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** The part of Go templates that blueprints of the landscapes here use: `{{ .a.b }}` and `{{ quote .a.b }}`. */
export function render(template: string, values: unknown): Rendered {
  const filled = template.replaceAll(
    /\{\{ (quote )?\.([\w.-]+) \}\}/g,
    (_, quote: string | undefined, path: string) => {
      const value = path.split(".").reduce((at: unknown, key): unknown => Reflect.get(Object(at), key), values);
      return quote === undefined ? String(value) : JSON.stringify(value);
    },
  );
  return parse(filled) as Rendered; // of our own landscapes
}

/** Minutes as Go's program writes them: "90m" is "1h30m0s". */
export function writeDuration(text: string): string {
  const minutes = Number.parseInt(text, 10);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ""}${minutes % 60}m0s`;
}
