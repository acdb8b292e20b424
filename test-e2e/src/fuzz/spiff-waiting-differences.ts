import { isControl, isUnchanged } from "./spiff-control-differences.ts";
import {
  documentsIn,
  failedLoops,
  isSameResult,
  type CompareAgain,
  type DifferentCase,
  type FailedNode,
} from "./spiff-failures.ts";

/**
 * The original fails for a loop whose body waits for a lambda or a template, and tells nothing beside it. With a number for a body,
 * the engines agree, and the same nodes fail in ours.
 */
export function isAboutWaitingLoops({ item, real, ours }: DifferentCase, compareAgain: CompareAgain): boolean {
  if (!("error" in real) || !("error" in ours)) return false;
  const isWaiting = failedLoops(real.error).some(({ below }) => below.some(({ tag }) => tag === "@"));
  if (!isWaiting) return false;
  const without = (text: string): string => text.replaceAll(/"<<do":"\(\( [^"]*\blib\.[^"]*"/g, '"<<do":1');
  const again = compareAgain({ ...item, template: without(item.template), stubs: item.stubs.map(without) });
  return isSameResult(again) && isUnchanged(again.ours, ours);
}

/** The paths of the loops that the original calls failed although their bodies wait for another node. */
export function waitingLoops(error: string): ReadonlySet<string> {
  // A template fails with what its instance waits for.
  const isWaiting = ({ isCause, words }: FailedNode): boolean =>
    !isCause || words === "" || /^resolution of template '.*' failed$/.test(words);
  const loops = failedLoops(error).filter(({ below }) => below.some(({ tag }) => tag === "@"));
  return new Set(loops.filter(({ below }) => below.every(isWaiting)).map(({ node }) => node.path));
}

/**
 * In the original, stubs change what the expression of a branch gives when a field of its control waits for a lambda or a template.
 * With a number in place of such fields, or with the name of the branch that they choose, our result is the same, and so is that of
 * the original.
 */
export function isAboutWaitingControls({ item, ours }: DifferentCase, compareAgain: CompareAgain): boolean {
  if (!item.features.includes("control") || "crash" in ours) return false;
  const tried = new Set([JSON.stringify(item)]);
  return choices.some((choice) => {
    const without = (text: string): string =>
      documentsIn(text)
        .map((document) => JSON.stringify(withoutWaiting(document, { isInControl: false, choice })))
        .join("\n---\n");
    const changed = { ...item, template: without(item.template), stubs: item.stubs.map(without) };
    if (tried.has(JSON.stringify(changed))) return false;
    tried.add(JSON.stringify(changed));
    const again = compareAgain(changed);
    return isSameResult(again) && isUnchanged(again.ours, ours);
  });
}

/** Which branch a control has that waits to choose one: a number for the value, or the names of branches in turn. */
const choices = ["number", 0, 1, 2, 3] as const;

interface Waiting {
  readonly isInControl: boolean;
  readonly choice: (typeof choices)[number];
}

function withoutWaiting(node: unknown, waiting: Waiting): unknown {
  const { isInControl, choice } = waiting;
  if (typeof node === "string") return isInControl && isWaiting(node) ? "(( 1 ))" : node;
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((entry: unknown) => withoutWaiting(entry, waiting));
  const below = { isInControl: isInControl || isControl(node), choice };
  const fields = choice === "number" ? node : withChoice(node as Readonly<Record<string, unknown>>, choice);
  return Object.fromEntries(Object.entries(fields).map(([key, child]) => [key, withoutWaiting(child, below)]));
}

function isWaiting(text: unknown): boolean {
  return typeof text === "string" && /^\(\( .*(?:\blib\.|&dynamic &template )/.test(text);
}

/** A control with the name of one of its branches, or of none, in place of a value that it waits for. */
function withChoice(control: Readonly<Record<string, unknown>>, choice: number): object {
  const { "<<if": condition, "<<switch": key, "<<type": value, ...fields } = control;
  if (isWaiting(condition)) return { ...fields, "<<if": choice % 2 === 0 };
  if (!isWaiting(key) && !isWaiting(value)) return control;
  const names = [...Object.keys(fields).filter((name) => !name.startsWith("<<")), ""];
  return { ...fields, "<<switch": names[choice % names.length] };
}
