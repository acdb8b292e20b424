import { fitsInt64 } from "../numbers/parse-number.ts";
import { formatFloat32 } from "../numbers/format-float.ts";
import type { ResolvedScalar } from "../scalars/resolve-scalar.ts";

/** A key as JSON has it; undefined for what sigs.k8s.io/yaml refuses. */
export function keyName(key: ResolvedScalar): string | undefined {
  switch (key.type) {
    case "string":
    case "timestamp":
      return key.value;
    case "bool":
      return String(key.value);
    case "int":
      return fitsInt64(key.value) ? key.value.toString() : undefined;
    case "float":
      return floatKey(key.value);
    case "null":
      return undefined;
  }
}

/** A float as a key: Go prints it with the digits of a float32. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(Math.fround(value))) return value < 0 ? "-.inf" : ".inf";
  return formatFloat32(value);
}
