import { kubeResources, resources, type ResourceType } from "@landscaper/api";

/** The kinds of objects that a landscape consists of on the hub. */
export const hubKinds: readonly ResourceType[] = [
  resources.installation,
  resources.execution,
  resources.deployItem,
  resources.dataObject,
  resources.target,
  kubeResources.secret,
];
