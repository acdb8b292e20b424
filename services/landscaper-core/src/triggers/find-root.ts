import type { Installation } from "@landscaper/api";
import type { Lister } from "@landscaper/controller-runtime";
import { nameOf, namespaceOf, parentOf } from "../object-reading.ts";

/** Returns the root of the tree; undefined for a ring of owners, or if an ancestor is not cached. */
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
