import { suggestName, type Target } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import type { ImportedValues, ParameterValue } from "../parameter/parameter-value.ts";
import type { TargetReference } from "./deploy-item-specification.ts";

/** Name and namespace of a Target object. */
export interface TargetObjectRef {
  name: string;
  namespace: string;
}

export interface TargetResolution {
  readonly imports: ImportedValues;
  /** Namespace of the Installation, for targets named directly. */
  readonly namespace: string;
  /** Names the reference in messages. */
  readonly where: string;
}

/** The Target object behind a deploy item's target: the imported object itself, not a copy (core.md §4.14). */
export function resolveTarget(reference: TargetReference, resolution: TargetResolution): TargetObjectRef {
  if ("name" in reference) return { name: reference.name, namespace: resolution.namespace };
  const { imports, where } = resolution;
  const value = Object.hasOwn(imports, reference.import) ? imports[reference.import] : undefined;
  if (value === undefined) {
    throw missingImport(reference.import, imports, where);
  }
  const target = pickTarget(reference, value, where);
  return { name: target.metadata.name ?? "", namespace: target.metadata.namespace ?? resolution.namespace };
}

const maxListedNames = 20;

/** Only Target imports are suggested. */
function missingImport(name: string, imports: ImportedValues, where: string): Error {
  const targets = Object.keys(imports).filter((each) => imports[each]?.type !== "data");
  const problem = `${where}.import: there is no import "${name}"`;
  const meant = suggestName(name, targets);
  if (meant !== "") return blueprintError("InvalidInput", `${problem}${meant}`);
  if (targets.length === 0) {
    return blueprintError("InvalidInput", `${problem}: the blueprint has no target imports`, {
      hint: "add a target import to the blueprint",
    });
  }
  const listed = targets.slice(0, maxListedNames).map((each) => JSON.stringify(each));
  const unlisted = targets.length - listed.length;
  const names = `${listed.join(", ")}${unlisted > 0 ? ` and ${unlisted} more` : ""}`;
  return blueprintError("InvalidInput", `${problem}: the target imports are ${names}`, {
    hint: "use one of them, or add the import to the blueprint",
  });
}

function pickTarget(
  reference: Exclude<TargetReference, { name: string }>,
  value: ParameterValue,
  where: string,
): Target {
  const { import: name, key, index } = reference;
  switch (value.type) {
    case "data":
      throw blueprintError(
        "InvalidInput",
        `${where}.import: expected a target import, found the data import "${name}"`,
      );
    case "target":
      return value.target;
    case "targetMap": {
      if (key === undefined) {
        throw blueprintError(
          "InvalidInput",
          `${where}.key: expected a key of the target map import "${name}", found nothing`,
        );
      }
      const found = Object.hasOwn(value.targets, key) ? value.targets[key] : undefined;
      if (found === undefined) {
        throw blueprintError("InvalidInput", `${where}.key: the target map import "${name}" has no key "${key}"`);
      }
      return found;
    }
    case "targetList": {
      if (index === undefined) {
        throw blueprintError(
          "InvalidInput",
          `${where}.index: expected a position in the target list import "${name}", found nothing`,
        );
      }
      const found = value.targets[index];
      if (found === undefined) {
        const count = value.targets.length;
        throw blueprintError(
          "InvalidInput",
          `${where}.index: the target list import "${name}" has ${count} entries, found index ${index}`,
        );
      }
      return found;
    }
  }
}
