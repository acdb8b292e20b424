import { annotations } from "../../objects/annotations.ts";
import { finalizer, groupName, versionName } from "../../objects/api-group.ts";
import { finalPhases } from "../../objects/job-protocol.ts";
import { isMarked, isUpdate, listOf, mapOf, markOf } from "./environment-account.ts";
import type { EnvironmentBound } from "./environment-bound.ts";

/** CEL: true for other operations than UPDATE, which the first rule refuses. */
const onUpdate = (expression: string): string => `!(${isUpdate}) || ${expression}`;
/** CEL: API servers omit the field in requests for the object itself. */
const onStatus = (expression: string): string =>
  onUpdate(`request.?subResource.orValue('') != 'status' || ${expression}`);

const newAnnotations = mapOf("object", "annotations");
const oldAnnotations = mapOf("oldObject", "annotations");
const newFinalizers = listOf("object", "finalizers");
const oldFinalizers = listOf("oldObject", "finalizers");
const identityOf = (object: string): string => `${object}.?status.?deployer.?identity.orValue('')`;
/** CEL: the identity without the name of the process. */
const instanceOf = (object: string): string => `${identityOf(object)}.split('/')[0]`;
const jobOf = (field: "jobID" | "jobIDFinished"): string => `oldObject.?status.?${field}.orValue('')`;

const phase = "oldObject.?status.?phase.orValue('')";
const finals = finalPhases.map((one) => `'${one}'`).join(", ");
/** CEL: a deployer has picked up the job, and has not finished it. */
const isInWork = `${jobOf("jobID")} != ${jobOf("jobIDFinished")} && ${phase} != '' && !(${phase} in [${finals}])`;
const holder = instanceOf("oldObject");
const marks = `${markOf("oldObject")}.split(',')`;
/**
 * CEL: the holder is a deployer of the account's Environment, which is one trust domain. `helm-a-b` ends with the names of the Environments `b` and `a-b`: the
 * longest one in the mark counts. Without names in the mark (`*`), only the identity of the account itself is known to be of its Environment.
 */
const isHeldByOwn = `${holder} == variables.identity || variables.environment in ${marks} && ${holder}.endsWith('-' + variables.environment) && !${marks}.exists(e, ${holder}.endsWith('-' + e) && e.size() > variables.environment.size())`;

/** docs/reference/deployer-management.md#bounds */
export const deployItemBound: EnvironmentBound = {
  name: "deployitems",
  group: groupName,
  version: versionName,
  resources: ["deployitems", "deployitems/status"],
  operations: ["CREATE", "UPDATE", "DELETE"],
  rules: [
    { expression: isUpdate, message: "Environment accounts must not create or delete DeployItems" },
    {
      expression: onUpdate(isMarked("oldObject")),
      message: `the annotation ${annotations.environments} of the DeployItem must contain the account's Environment`,
    },
    {
      expression: onUpdate(
        "(!variables.isAgent || has(oldObject.spec.target) && oldObject.spec.target.name == variables.environment && request.namespace == request.userInfo.username.split(':')[2])",
      ),
      message:
        "agents must only write DeployItems whose Target has the name of their Environment, in the namespace of their account",
    },
    {
      expression: onUpdate("object.spec == oldObject.spec"),
      message: "Environment accounts must not change the spec of a DeployItem",
    },
    {
      expression: onUpdate(`${mapOf("object", "labels")} == ${mapOf("oldObject", "labels")}`),
      message: "Environment accounts must not change the labels of a DeployItem; keep notes in status.providerStatus",
    },
    {
      expression: onUpdate(`${listOf("object", "ownerReferences")} == ${listOf("oldObject", "ownerReferences")}`),
      message: "Environment accounts must not change the owner references of a DeployItem",
    },
    {
      expression: onUpdate(
        `${newAnnotations}.all(k, k in ${oldAnnotations} && ${newAnnotations}[k] == ${oldAnnotations}[k]) && ${oldAnnotations}.all(k, k in ${newAnnotations} || k == '${annotations.operation}')`,
      ),
      message: `Environment accounts must not change the annotations of a DeployItem, except to remove ${annotations.operation}; keep notes in status.providerStatus`,
    },
    {
      expression: onUpdate(
        `${newFinalizers}.all(f, f in ${oldFinalizers} || f == '${finalizer}' && !has(oldObject.metadata.deletionTimestamp)) && ${oldFinalizers}.all(f, f in ${newFinalizers} || f == '${finalizer}' && has(oldObject.metadata.deletionTimestamp))`,
      ),
      message: `Environment accounts must not change the finalizers of a DeployItem, except to add ${finalizer} before the deletion and to remove it during the deletion`,
    },
    {
      expression: onStatus(
        `${instanceOf("object")} == variables.identity || ${identityOf("object")} == ${identityOf("oldObject")} && ${identityOf("object")} == ''`,
      ),
      message: "status.deployer.identity must begin with the identity of the account, REGISTRATION-ENVIRONMENT",
    },
    {
      expression: onUpdate(`(!(${isInWork}) || ${holder} == '' || ${isHeldByOwn})`),
      message:
        "a deployer outside of the account's Environment (status.deployer.identity) works on the DeployItem: its job is picked up and not finished",
    },
  ],
};
