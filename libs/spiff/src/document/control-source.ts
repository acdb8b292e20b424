import type { Place } from "./document-form.ts";
import type { Markers } from "./markers.ts";
import type { ControlName, ControlSource, InsertKey, Source } from "./source.ts";

/** The options that a control takes besides its own field, and whether it takes plain fields. */
const controls = {
  if: { options: ["then", "else"], hasFields: false },
  switch: { options: ["default", "cases"], hasFields: true },
  type: { options: ["default"], hasFields: true },
  for: { options: ["do", "mapkey"], hasFields: false },
  merge: { options: [], hasFields: true },
} as const satisfies Record<ControlName, { readonly options: readonly string[]; readonly hasFields: boolean }>;

const optionNames = new Set<string>(Object.values(controls).flatMap(({ options }) => options));

/** Whether a key of a map makes it a control; plain insert keys and escapes such as `<<!if` do not. */
export function isControlKey(key: string): boolean {
  return key.startsWith("<<") && !/^<<(?:<?$|!)/.test(key);
}

export interface ControlParts extends InsertKey {
  readonly options: ReadonlyMap<string, Source>;
  readonly entries: ReadonlyMap<string, Source>;
  readonly markers: Markers | undefined;
  readonly at: Place | undefined;
  readonly definesTags: boolean;
}

/** A control of its fields; mistakes in their combination are kept as its problem. */
export function buildControl(parts: ControlParts): ControlSource {
  const names = [...parts.options.keys()];
  const found = names.filter(isControlName);
  const control = found[0] ?? "if";
  return { kind: "control", control, ...parts, problem: problemOf(names, found) };
}

/** Why no control can be made of these options. */
function problemOf(names: readonly string[], found: readonly ControlName[]): string | undefined {
  const unknown = names.find((name) => !isControlName(name) && !optionNames.has(name));
  if (unknown !== undefined) return `unknown control or control option "<<${unknown}"`;
  const [control, second] = found;
  const options = names.filter((name) => optionNames.has(name));
  if (control === undefined) return `control options [${options.join(", ")}] without control`;
  if (second !== undefined) return `multiple controls "<<${control}" and "<<${second}"`;
  const allowed: readonly string[] = controls[control].options;
  const wrong = options.find((name) => !allowed.includes(name));
  return wrong === undefined ? undefined : `invalid option "${wrong}" for control "${control}"`;
}

/** Why a control cannot work with its fields: those that are no options. */
export function findFieldProblem({ control, options }: ControlSource, fields: readonly string[]): string | undefined {
  if (fields.length > 0 && (!controls[control].hasFields || options.has("cases"))) {
    return `no regular fields [${fields.join(", ")}] allowed`;
  }
  return control === "for" && !options.has("do") ? "do field required" : undefined;
}

function isControlName(name: string): name is ControlName {
  return Object.hasOwn(controls, name);
}
