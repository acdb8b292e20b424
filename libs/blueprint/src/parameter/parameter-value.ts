import type { JsonPath, Target } from "@landscaper/api";

/** The value of one import, with the objects that carry it. */
export type ParameterValue =
  | {
      readonly type: "data";
      readonly value: unknown;
      /** What of the value is secret, because of where it came from; default nothing. */
      readonly sensitive?: readonly JsonPath[];
      /** Object and key that the value comes from, for messages: `ConfigMap "settings" (key "replicas")`. */
      readonly origin?: string;
    }
  | { readonly type: "target"; readonly target: Target }
  | { readonly type: "targetList"; readonly targets: readonly Target[] }
  | { readonly type: "targetMap"; readonly targets: Readonly<Record<string, Target>> };

export type ParameterType = ParameterValue["type"];

/** Values by import name. Data and target imports share one name space (core.md §3.6). */
export type ImportedValues = Readonly<Record<string, ParameterValue>>;

/** The value as templates see it: plain data, or whole Target objects. */
export function bindingOf(value: ParameterValue): unknown {
  switch (value.type) {
    case "data":
      return value.value;
    case "target":
      return value.target;
    case "targetList":
    case "targetMap":
      return value.targets;
  }
}
