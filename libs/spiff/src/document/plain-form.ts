import { entriesOf, toNumber } from "../value/from-plain.ts";
import { SpiffError } from "../spiff-error.ts";
import { maxDocumentDepth, type DocumentForm, type Shape } from "./document-form.ts";

/** Plain data: objects or Maps, arrays, scalars; whole numbers are ints. */
export const plainForm: DocumentForm<unknown> = {
  read,
  placeOf: () => undefined,
  failDeep: () => {
    throw new SpiffError(`the document nests more than ${maxDocumentDepth} levels`);
  },
};

function read(plain: unknown): Shape<unknown> {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- data has no other types
  switch (typeof plain) {
    case "string":
    case "boolean":
      return { kind: "scalar", value: plain };
    case "bigint":
      return { kind: "scalar", value: BigInt.asIntN(64, plain) };
    case "number": {
      const value = toNumber(plain, "integers");
      return { kind: "scalar", value: typeof value === "bigint" ? value : plain };
    }
    case "object":
      if (plain === null) return { kind: "scalar", value: null };
      if (Array.isArray(plain)) return { kind: "list", items: plain };
      return { kind: "map", entries: entriesOf(plain).map(([key, value]) => ({ key, value })) };
    default:
      return { kind: "scalar", value: null };
  }
}
