import type { Installation } from "@landscaper/api";
import type { Lister } from "@landscaper/controller-runtime";
import { nameOf, namespaceOf, parentOf } from "../object-reading.ts";

/** Undefined for a ring of owners, which has none, and for one whose root is not known. */
export function findRoot(
  lister: Pick<Lister<Installation>, "get">,
  installation: Installation | undefined,
): Installation | undefined {
  const passed = new Set<string>();
  for (let one = installation; one !== undefined && !passed.has(nameOf(one));) {
    const parent = parentOf(one);
    if (parent === undefined) return one;
    passed.add(nameOf(one));
    one = lister.get({ namespace: namespaceOf(one), name: parent.name });
  }
  return undefined;
}
