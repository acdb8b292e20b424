// Deployers of an Environment as the pure functions of deployer management see them.
import {
  apiVersion,
  deployerManagementFinalizer,
  finalizer,
  type DeployItem,
  type Installation,
  type InstallationStatus,
} from "@landscaper/api";
import type { ObservedSecrets } from "../src/deployer-management/agent-secrets/observe-secrets.ts";
import type { ObservedDeployer } from "../src/deployer-management/observed-environment.ts";

export interface TestDeployerState {
  readonly registration: string;
  readonly provides?: readonly string[];
  readonly items?: readonly DeployItem[];
  readonly waiting?: ObservedDeployer["waiting"];
  readonly isDeleting?: boolean;
  /** Default: it is Succeeded for its generation. */
  readonly status?: Partial<InstallationStatus>;
  /** Without that of the core: nothing is left to uninstall. */
  readonly finalizers?: readonly string[];
  readonly version?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Of an agent without items and Contexts, and without a Role. */
export const nothingToRead: ObservedSecrets = {
  sources: { items: [], contexts: [], targets: [] },
  role: undefined,
  binding: undefined,
  bootstrapRole: undefined,
};

/** In the Environment "env", with generation 1. */
export function observedDeployer(state: TestDeployerState): ObservedDeployer {
  const { registration, provides = [], items = [], waiting = [], isDeleting = false, status, version } = state;
  const { finalizers = [deployerManagementFinalizer, finalizer] } = state;
  const succeeded: InstallationStatus = { observedGeneration: 1, phase: "Succeeded", jobID: "1", jobIDFinished: "1" };
  const installation: Installation = {
    apiVersion,
    kind: "Installation",
    metadata: {
      name: `${registration}-env`,
      namespace: "ls-system",
      uid: registration,
      generation: 1,
      finalizers: [...finalizers],
      ...(state.annotations === undefined ? {} : { annotations: state.annotations }),
      ...(isDeleting ? { deletionTimestamp: "2026-06-01T00:00:00Z" } : {}),
    },
    spec: {
      blueprint: { ref: { resourceName: "blueprint" } },
      ...(version === undefined ? {} : { componentDescriptor: { ref: { componentName: "c", version } } }),
    },
    status: { ...succeeded, ...status },
  };
  return { names: { registration, environment: "env" }, provides, items, waiting, installation };
}

/** An item whose job was done. */
export function observedItem(type: string): DeployItem {
  return {
    apiVersion,
    kind: "DeployItem",
    metadata: { name: type },
    spec: { type },
    status: { phase: "Succeeded", jobID: "1", jobIDFinished: "1" },
  };
}
