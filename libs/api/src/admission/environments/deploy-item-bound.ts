import { annotations } from "../../objects/annotations.ts";
import { finalizer, groupName, versionName } from "../../objects/api-group.ts";
import { isMarked, isUpdate, listOf, mapOf, markOf } from "./environment-account.ts";
import type { EnvironmentBound } from "./environment-bound.ts";

/** CEL: true for other operations than UPDATE, which the first rule refuses. */
const onUpdate = (expression: string): string => `!(${isUpdate}) || ${expression}`;
const onStatus = (expression: string): string => onUpdate(`request.subResource != 'status' || ${expression}`);

const newAnnotations = mapOf("object", "annotations");
const oldAnnotations = mapOf("oldObject", "annotations");
const newFinalizers = listOf("object", "finalizers");
const oldFinalizers = listOf("oldObject", "finalizers");
const identityOf = (object: string): string => `${object}.?status.?deployer.?identity.orValue('')`;
/** CEL: the identity without the name of the process. */
const instanceOf = (object: string): string => `${identityOf(object)}.split('/')[0]`;
const jobOf = (field: "jobID" | "jobIDFinished"): string => `oldObject.?status.?${field}.orValue('')`;

/** docs/reference/deployer-management.md#bounds */
export const deployItemBound: EnvironmentBound = {
  name: "deployitems",
  group: groupName,
  version: versionName,
  resources: ["deployitems", "deployitems/status"],
  operations: ["CREATE", "UPDATE", "DELETE"],
  rules: [
    { expression: isUpdate, message: "Environment accounts neither create nor delete DeployItems" },
    {
      expression: onUpdate(isMarked("oldObject")),
      message: `the DeployItem does not belong to the account's Environment, by the annotation ${annotations.environments}`,
    },
    {
      expression: onUpdate(
        "(!variables.isAgent || has(oldObject.spec.target) && oldObject.spec.target.name == variables.environment && request.namespace == request.userInfo.username.split(':')[2])",
      ),
      message: "agents only write DeployItems for the Target of their Environment, in the namespace of their account",
    },
    {
      expression: onUpdate("object.spec == oldObject.spec"),
      message: "Environment accounts do not change the spec of a DeployItem",
    },
    {
      expression: onUpdate(`${mapOf("object", "labels")} == ${mapOf("oldObject", "labels")}`),
      message: "Environment accounts do not change the labels of a DeployItem; notes belong in status.providerStatus",
    },
    {
      expression: onUpdate(`${listOf("object", "ownerReferences")} == ${listOf("oldObject", "ownerReferences")}`),
      message: "Environment accounts do not change the owner references of a DeployItem",
    },
    {
      expression: onUpdate(
        `${newAnnotations}.all(k, k in ${oldAnnotations} && ${newAnnotations}[k] == ${oldAnnotations}[k]) && ${oldAnnotations}.all(k, k in ${newAnnotations} || k == '${annotations.operation}')`,
      ),
      message: `of the annotations of a DeployItem, Environment accounts only remove ${annotations.operation}; notes belong in status.providerStatus`,
    },
    {
      expression: onUpdate(
        `${newFinalizers}.all(f, f in ${oldFinalizers} || f == '${finalizer}' && !has(oldObject.metadata.deletionTimestamp)) && ${oldFinalizers}.all(f, f in ${newFinalizers} || f == '${finalizer}' && has(oldObject.metadata.deletionTimestamp))`,
      ),
      message: `of the finalizers of a DeployItem, Environment accounts only add ${finalizer} before the deletion and remove it during the deletion`,
    },
    {
      expression: onStatus(
        `${instanceOf("object")} == variables.identity || ${identityOf("object")} == ${identityOf("oldObject")} && ${identityOf("object")} == ''`,
      ),
      message: "status.deployer.identity must begin with the identity of the account, REGISTRATION-ENVIRONMENT",
    },
    {
      // An identity of the same Environment is the same trust domain. A removed Environment is not in the annotation any more.
      expression: onStatus(
        `${jobOf("jobID")} == ${jobOf("jobIDFinished")} || ${instanceOf("oldObject")}.endsWith('-' + variables.environment) || !${markOf("oldObject")}.split(',').exists(e, ${instanceOf("oldObject")}.endsWith('-' + e))`,
      ),
      message: "a deployer of another Environment works on the DeployItem, by status.deployer.identity",
    },
  ],
};
