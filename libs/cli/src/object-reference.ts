import { groupName } from "@landscaper/api";
import { InvocationError } from "./usage-error.ts";

/** Kinds that commands can name. */
export type ReferencedKind = "Installation" | "Execution" | "DeployItem";

export interface ObjectReference {
  readonly kind: ReferencedKind;
  readonly name: string;
}

/** Words by kind. The plural names are literals: every command loads this file, and importing `resources` would load the schema library. */
const words: Readonly<Record<ReferencedKind, readonly string[]>> = {
  Installation: ["inst", "installation", "installations"],
  Execution: ["exec", "execution", "executions"],
  DeployItem: ["di", "deployitem", "deployitems"],
};
const kinds: readonly ReferencedKind[] = ["Installation", "Execution", "DeployItem"];

/** Returns the kind of a word such as "inst"; undefined if there is none. */
export function kindOf(text: string): ReferencedKind | undefined {
  const lower = text.toLowerCase();
  const word = lower.endsWith(`.${groupName}`) ? lower.slice(0, -groupName.length - 1) : lower;
  return kinds.find((one) => words[one].includes(word));
}

/** Reads "KIND/NAME", in the forms that kubectl prints and takes. Throws InvocationError. */
export function parseReference(text = ""): ObjectReference {
  const slash = text.indexOf("/");
  const kindText = slash < 0 ? "inst" : text.slice(0, slash).toLowerCase();
  const name = text.slice(slash + 1);
  const kind = kindOf(kindText);
  if (kind === undefined) {
    throw new InvocationError(`expected inst/NAME, exec/NAME or di/NAME, found the kind "${kindText}"`);
  }
  if (name === "" || name.includes("/")) throw new InvocationError(`expected KIND/NAME, found "${text}"`);
  return { kind, name };
}
