import { LandscaperError } from "@landscaper/api";
import { containerPaths, type ContainerPaths } from "./paths.ts";

/** The containers of the Pod of a job. */
export const containerNames = { init: "init", main: "main", wait: "wait" } as const;
export type ContainerName = (typeof containerNames)[keyof typeof containerNames];

/** The deployer's own containers, in the order in which they start. */
export const ownContainers: readonly ContainerName[] = [containerNames.init, containerNames.wait, containerNames.main];

/** Exit code of wait when it knows how the program has ended, but could not save its state or exports. */
export const waitFailed = 1;
/** Exit code of wait when it was stopped before it knew how the program has ended. */
export const waitInterrupted = 2;

/** What a program is to do: install or update, or take back. */
export type ContainerOperation = "RECONCILE" | "DELETE";

/** `env` of a container as a Pod has it. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
}

export interface EnvironmentOptions {
  readonly item: { readonly namespace: string; readonly name: string };
  readonly operation: ContainerOperation;
  readonly paths?: ContainerPaths | undefined;
}

/** The environment of a container (docs/reference/container-deployer.md#environment). */
export function environmentOf(
  container: ContainerName,
  { item, operation, paths = containerPaths() }: EnvironmentOptions,
): readonly EnvironmentVariable[] {
  const common: readonly EnvironmentVariable[] = [
    { name: "IMPORTS_PATH", value: paths.imports },
    { name: "EXPORTS_PATH", value: paths.exports },
    { name: "COMPONENT_DESCRIPTOR_PATH", value: paths.componentDescriptor },
    { name: "TARGET_PATH", value: paths.target },
    { name: "CONTENT_PATH", value: paths.content },
    { name: "STATE_PATH", value: paths.state },
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
  ];
  const ofItem: readonly EnvironmentVariable[] = [
    { name: "DEPLOY_ITEM_NAME", value: item.name },
    { name: "DEPLOY_ITEM_NAMESPACE", value: item.namespace },
  ];
  switch (container) {
    case "main":
      return [...common, { name: "OPERATION", value: operation }];
    case "wait":
      return [...common, ...ofItem];
    case "init":
      return [
        ...common,
        ...ofItem,
        { name: "CONFIGURATION_PATH", value: paths.configuration },
        { name: "REGISTRY_SECRETS_DIR", value: paths.registrySecrets },
        { name: "OCM_CONFIGURATION_PATH", value: paths.ocmConfiguration },
      ];
  }
}

/** Of a process. */
export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** The value of a variable. Throws LandscaperError for one that is not set. */
export function readVariable(env: ProcessEnvironment, name: string): string {
  const value = env[name] ?? "";
  if (value !== "") return value;
  throw new LandscaperError({
    message: `environment: ${name} is not set`,
    reason: "InvalidConfiguration",
    codes: ["ERR_INTERNAL_PROBLEM"],
    hint: "the container deployer starts this program in a Pod; it does not run elsewhere",
    retry: "never",
  });
}
