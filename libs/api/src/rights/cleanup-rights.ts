import type { Right } from "./right.ts";

/** Rights of the Job that cleans the host up when the chart of the container deployer is uninstalled: in the namespace for Pods. It reads no Secret. */
export const containerCleanupRights: readonly Right[] = [
  {
    group: "",
    resources: ["pods"],
    verbs: ["get", "list", "patch", "delete"],
    why: "Ends the Pods of programs, and waits until they are gone.",
  },
  {
    group: "",
    resources: ["secrets", "configmaps", "serviceaccounts"],
    verbs: ["list", "delete"],
    why: "Removes what the deployer has created for items. It lists metadata alone.",
  },
  {
    group: "rbac.authorization.k8s.io",
    resources: ["roles", "rolebindings"],
    verbs: ["list", "delete"],
    why: "Removes the rights of the init and wait containers of items.",
  },
];

/** Rights of an uninstall Job to stop its Deployment, in the namespace of the release. */
export function stopDeploymentRights(deployment: string): readonly Right[] {
  return [
    {
      group: "apps",
      resources: ["deployments"],
      resourceNames: [deployment],
      verbs: ["get"],
      why: "Waits until the service is stopped.",
    },
    {
      group: "apps",
      resources: ["deployments/scale"],
      resourceNames: [deployment],
      verbs: ["patch"],
      why: "Stops the service, which would undo the cleanup.",
    },
    {
      group: "",
      resources: ["pods"],
      verbs: ["list"],
      why: "Waits until the Pods of the service have ended.",
    },
  ];
}
