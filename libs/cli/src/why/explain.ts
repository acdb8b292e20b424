import { type DeployItem, type Execution, type Installation } from "@landscaper/api";
import { indexObjects, type TreeObjects } from "../tree/object-index.ts";
import type { ExplainContext, Subject } from "./explain-context.ts";
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
  if (isInstallation(subject)) return explainInstallation(subject, context);
  return isExecution(subject) ? explainExecution(subject, context) : explainDeployItem(subject, context);
}

function isInstallation(subject: Subject): subject is Installation {
  return subject.kind === "Installation";
}

function isExecution(subject: Execution | DeployItem): subject is Execution {
  return subject.kind === "Execution";
}
