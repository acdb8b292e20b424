import { valuesAt } from "@landscaper/api";
import type { ImportedValues } from "../parameter/parameter-value.ts";

/** What of imports is secret by where it came from: sensitive data, and the access data of Targets. */
export function secretsOf(given: ImportedValues): readonly unknown[] {
  return Object.values(given).flatMap((value): readonly unknown[] => {
    switch (value.type) {
      case "data":
        return valuesAt(value.value, value.sensitive ?? []);
      case "target":
        return [value.target.spec.config];
      case "targetList":
        return value.targets.map(({ spec }) => spec.config);
      case "targetMap":
        return Object.values(value.targets).map(({ spec }) => spec.config);
    }
  });
}
