import { structScalars, zeroScalar } from "../builtin-types/go-scalars.ts";
import type { GoField, GoStruct, GoType } from "../builtin-types/parse-builtin-types.ts";

/** What Go writes for a struct in which nothing was set, without any defaults: what a create is compared with. */
export function emptyObject(struct: GoStruct): Record<string, unknown> {
  const fields = [...struct.byName.values()].map((field) => [field.json, emptyField(field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function emptyField({ isPointer, omitEmpty, omitZero, type }: GoField): unknown {
  if (omitZero || (isPointer && omitEmpty)) return undefined;
  if (isPointer) return null;
  return omitEmpty && isLeftOut(type) ? undefined : emptyValue(type);
}

/** Go never leaves out a struct as empty. */
function isLeftOut(type: GoType): boolean {
  return type.kind !== "struct" && !(type.kind === "scalar" && structScalars.has(type.scalar));
}

function emptyValue(type: GoType): unknown {
  switch (type.kind) {
    case "struct":
      return emptyObject(type.struct);
    case "scalar":
      return zeroScalar(type.scalar);
    case "list":
    case "map":
      return null;
  }
}
