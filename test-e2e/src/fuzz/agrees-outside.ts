import { documentsOf, failedNodes, isSameFailure, type DifferentCase, type FailedNode } from "./spiff-failures.ts";

/** A path in a document. */
export type Place = readonly string[];

type Tree = Readonly<Record<string, unknown>>;

/** Whether the engines agree on everything that is not at or below the places. */
export function agreesOutside({ real, ours }: DifferentCase, places: readonly Place[]): boolean {
  if ("crash" in ours || places.length === 0) return false;
  if ("output" in real && "output" in ours) return rest(real.output, places) === rest(ours.output, places);
  const isOutside = ({ path }: FailedNode): boolean =>
    !places.some((place) => `${path}.`.startsWith([...place, ""].join(".")));
  const outside = (result: DifferentCase["real"]): FailedNode[] =>
    "error" in result ? failedNodes(result.error).filter((node) => node.isCause && isOutside(node)) : [];
  return isSameFailure(outside(real), outside(ours));
}

function rest(output: string, places: readonly Place[]): string {
  return JSON.stringify(documentsOf(output).map((document) => places.reduce<unknown>(without, document)));
}

function without(node: unknown, place: Place): unknown {
  const [step, ...further] = place;
  if (step === undefined) return undefined;
  if (typeof node !== "object" || node === null || Array.isArray(node) || !(step in node)) return node;
  const { [step]: child, ...others } = node as Tree;
  return further.length === 0 ? others : { ...others, [step]: without(child, further) };
}
