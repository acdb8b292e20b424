import type { KindDefinition } from "./kind-definition.ts";
import { componentVersionOverwritesKind } from "../kinds/component-version-overwrites.ts";
import { contextKind } from "../kinds/context.ts";
import { criticalProblemsKind } from "../kinds/critical-problems.ts";
import { dataObjectKind } from "../kinds/data-object.ts";
import { deployItemKind } from "../kinds/deploy-item.ts";
import { deployerRegistrationKind } from "../kinds/deployer-registration.ts";
import { environmentKind } from "../kinds/environment.ts";
import { executionKind } from "../kinds/execution.ts";
import { installationKind } from "../kinds/installation.ts";
import { lsHealthCheckKind } from "../kinds/ls-health-check.ts";
import { syncObjectKind } from "../kinds/sync-object.ts";
import { targetSyncKind } from "../kinds/target-sync.ts";
import { targetKind } from "../kinds/target.ts";

/** Every kind that has a CRD. */
export const kinds: readonly KindDefinition[] = [
  installationKind,
  executionKind,
  deployItemKind,
  dataObjectKind,
  targetKind,
  targetSyncKind,
  contextKind,
  componentVersionOverwritesKind,
  lsHealthCheckKind,
  criticalProblemsKind,
  syncObjectKind,
  deployerRegistrationKind,
  environmentKind,
];

/** Where each kind of Landscaper lives in the Kubernetes API. */
export const resources = {
  installation: installationKind.type,
  execution: executionKind.type,
  deployItem: deployItemKind.type,
  dataObject: dataObjectKind.type,
  target: targetKind.type,
  targetSync: targetSyncKind.type,
  context: contextKind.type,
  componentVersionOverwrites: componentVersionOverwritesKind.type,
  lsHealthCheck: lsHealthCheckKind.type,
  criticalProblems: criticalProblemsKind.type,
  syncObject: syncObjectKind.type,
  deployerRegistration: deployerRegistrationKind.type,
  environment: environmentKind.type,
} as const;
