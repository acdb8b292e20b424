import { annotations } from "../../objects/annotations.ts";
import { apiVersion } from "../../objects/api-group.ts";
import { labels } from "../../objects/labels.ts";
import { resources } from "../../objects/resources.ts";
import { isMarked, listOf, mapOf, markOf, onlyKeys } from "./environment-account.ts";
import type { BoundSettings, EnvironmentBound } from "./environment-bound.ts";

/** Namespaces of Kubernetes itself. */
const systemNamespaces = ["kube-system", "kube-public", "kube-node-lease"];
const ownerOf = (object: string): string => `${object}.metadata.ownerReferences[0]`;

/** CEL over the Secrets before and after the write, whichever exist. */
const everySecret = (holds: (object: string) => string): string =>
  ["oldObject", "object"].map((object) => `(${object} == null || ${holds(object)})`).join(" && ");

const hasOneOwner = (object: string): string => {
  const owner = ownerOf(object);
  const isDeployItem = `${owner}.kind == '${resources.deployItem.kind}' && ${owner}.apiVersion == '${apiVersion}'`;
  const isWeak = `!${owner}.?controller.orValue(false) && !${owner}.?blockOwnerDeletion.orValue(false)`;
  return `${listOf(object, "ownerReferences")}.size() == 1 && ${isDeployItem} && ${isWeak}`;
};

/** CEL: the name is one of `exportSecretName` and `planSecretName`. The latter shortens names of more than 248 characters and adds a hash. */
const hasItsName = (object: string): string => {
  const name = `${object}.metadata.name`;
  const owner = `${ownerOf(object)}.name`;
  const isShortened = `${owner}.size() > 248 && ${name}.matches('-[a-z2-7]{8}-plan$') && ${owner}.startsWith(${name}.substring(0, ${name}.size() - 14))`;
  return `(${name} == ${owner} + '-export' || ${name} == ${owner} + '-plan' || ${isShortened})`;
};

/** docs/reference/deployer-management.md#bounds */
export function secretBound({ management, core }: BoundSettings): EnvironmentBound {
  const forbidden = [...systemNamespaces, ...(core === management ? [] : [core])];
  return {
    name: "secrets",
    group: "",
    version: "v1",
    resources: ["secrets"],
    operations: ["CREATE", "UPDATE", "DELETE"],
    rules: [
      {
        expression: `!(request.namespace in [${forbidden.map((name) => `'${name}'`).join(", ")}]) && !('${labels.noEnvironmentSecrets}' in ${mapOf("namespaceObject", "labels")})`,
        message: `Environment accounts must not write Secrets in this namespace (refused: ${forbidden.join(", ")}, and namespaces with the label ${labels.noEnvironmentSecrets})`,
      },
      {
        expression: everySecret(isMarked),
        message: `the annotation ${annotations.environments} of the Secret must contain the account's Environment`,
      },
      {
        expression: everySecret(hasOneOwner),
        message: "the Secret must have one owner reference, to a DeployItem, without controller and blockOwnerDeletion",
      },
      {
        expression: everySecret((object) => `${hasOneOwner(object)} && ${hasItsName(object)}`),
        message: "the name of the Secret must be the name of its owner followed by -export or -plan",
      },
      {
        expression:
          "object == null || oldObject == null || object.metadata.ownerReferences[0].name == oldObject.metadata.ownerReferences[0].name",
        message: "the name of the Secret's owner must not change",
      },
      {
        // Only the core changes the mark of a Secret, together with the mark of its item.
        expression: `object == null || oldObject == null || ${markOf("object")} == ${markOf("oldObject")}`,
        message: `the annotation ${annotations.environments} of the Secret must not change`,
      },
      {
        expression: everySecret((object) => onlyKeys(mapOf(object, "labels"), [labels.planOf])),
        message: `the Secret must have no label except ${labels.planOf}`,
      },
      {
        expression: everySecret((object) =>
          onlyKeys(mapOf(object, "annotations"), [annotations.environments, annotations.sensitiveExports]),
        ),
        message: `the Secret must have no annotations except ${annotations.environments} and ${annotations.sensitiveExports}`,
      },
      {
        expression: everySecret((object) => `${listOf(object, "finalizers")}.size() == 0`),
        message: "the Secret must have no finalizers",
      },
      {
        expression: everySecret((object) => `!${object}.?immutable.orValue(false)`),
        message: "the Secret must not be immutable",
      },
      {
        // The API server fills Secrets of some types with tokens.
        expression: everySecret((object) => `${object}.?type.orValue('') == 'Opaque'`),
        message: "the Secret must have the type Opaque",
      },
    ],
  };
}
