import { type DeployItem, type Execution, type Installation } from "@landscaper/api";
import { warningOf } from "../tree/build-tree.ts";
import { indexObjects, type ObjectIndex, type TreeObjects } from "../tree/object-index.ts";
import { titleOf, type ExplainContext, type Subject } from "./explain-context.ts";
import { explainDeployItem } from "./explain-deploy-item.ts";
import { explainExecution } from "./explain-execution.ts";
import { explainInstallation } from "./explain-installation.ts";
import type { Explanation } from "./explanation.ts";
import { siblingsOf } from "./siblings-of.ts";

/** Everything that an explanation is made from. */
export interface ObservedSubject {
  readonly subject: Subject;
  /** All of the subject's namespace. */
  readonly objects: TreeObjects;
  /** Names of the Targets there. */
  readonly targets: ReadonlySet<string>;
}

/** What an object waits for, or why it failed, down to the leaves that decide. Pure; `now` in milliseconds since the epoch. */
export function explain({ subject, objects, targets }: ObservedSubject, now: number): Explanation {
  const context: ExplainContext = {
    ...objects,
    index: indexObjects(objects),
    siblings: siblingsOf(objects.installations),
    targets,
    now,
    path: new Set(),
  };
  const warnings = listBelow(subject, context.index).flatMap((object) => {
    const warning = warningOf(object);
    return warning === undefined ? [] : [`${titleOf(object)}: ${warning}`];
  });
  return { ...explainSubject(subject, context), ...(warnings.length > 0 && { warnings }) };
}

function explainSubject(subject: Subject, context: ExplainContext): Explanation {
  if (isInstallation(subject)) return explainInstallation(subject, context);
  return isExecution(subject) ? explainExecution(subject, context) : explainDeployItem(subject, context);
}

/** The object and all below it. */
function listBelow(subject: Subject, index: ObjectIndex): readonly Subject[] {
  if (!isInstallation(subject)) return isExecution(subject) ? [subject, ...index.deployItemsOf(subject)] : [subject];
  const below = [...index.executionsOf(subject), ...index.subinstallationsOf(subject)];
  return [subject, ...below.flatMap((object) => listBelow(object, index))];
}

function isInstallation(subject: Subject): subject is Installation {
  return subject.kind === "Installation";
}

function isExecution(subject: Execution | DeployItem): subject is Execution {
  return subject.kind === "Execution";
}
