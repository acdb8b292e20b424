import {
  conditionTypes,
  installationPhases as phases,
  type ConditionUpdate,
  type LandscaperError,
} from "@landscaper/api";
import { addCondition, type JobHolderStatus } from "../job-status.ts";

const { ensureSubInstallations, reconcileExecution, createExports, createImports, validateImports } = conditionTypes;

/** What a step of the job came to, as tools of the original read it (core.md §2.9). */
type StepCondition = Pick<ConditionUpdate, "type" | "status" | "reason" | "message">;

const succeeded = {
  [ensureSubInstallations]: {
    reason: "InstallationsInstalled",
    message: "all subinstallations are as the blueprint says",
  },
  [reconcileExecution]: { reason: "ExecutionDeployed", message: "the execution is as the blueprint says" },
  [createExports]: { reason: "DataObjectsCreated", message: "all exports are written" },
} as const;

/** Reasons of errors in Init by the step that they belong to; every error in Completing concerns the exports. */
const stepOfReason: Readonly<Record<string, readonly [type: string, reason: string]>> = {
  CreateOrUpdateImports: [createImports, "CreateDataObjects"],
  EnsureSubinstallations: [ensureSubInstallations, "InstallationCreatingFailed"],
  InvalidDeployItems: [reconcileExecution, "CreateOrUpdateExecution"],
  ReconcileExecution: [reconcileExecution, "CreateOrUpdateExecution"],
  TemplatingFailed: [reconcileExecution, "TemplatingFailed"],
  ImportTypeMismatch: [validateImports, "ImportValidationFailed"],
  ImportNotSatisfied: [validateImports, "ImportValidationFailed"],
  InvalidDefaultValue: [validateImports, "ImportValidationFailed"],
  RenderImportExecutions: [validateImports, "ImportValidationFailed"],
  SchemaValidationFailed: [validateImports, "ImportValidationFailed"],
};

/** The condition of the step that failed; undefined when the error belongs to none. */
export function conditionOfFailure(phase: string | undefined, error: LandscaperError): StepCondition | undefined {
  const step =
    phase === phases.completing ? ([createExports, "CreateDataObjects"] as const) : stepOfReason[error.reason];
  if (step === undefined) return undefined;
  const [type, reason] = step;
  return { type, status: "False", reason, message: error.message };
}

/** Marks steps as done. */
export function addStepSuccess<S extends JobHolderStatus>(
  status: S,
  types: readonly (keyof typeof succeeded)[],
  now: Date,
): S {
  const updates = types.map((type): StepCondition => ({ type, status: "True", ...succeeded[type] }));
  return updates.reduce((next, update) => addCondition(next, update, now), status);
}

const saysFailureOnly: ReadonlySet<string> = new Set([createImports, validateImports]);

/** CreateImports and ValidateImports only ever say that they failed (core.md §2.9): a new job begins without them. */
export function dropImportFailures<S extends JobHolderStatus>(status: S): S {
  const { conditions } = status;
  if (conditions?.some(({ type }) => saysFailureOnly.has(type)) !== true) return status;
  return { ...status, conditions: conditions.filter(({ type }) => !saysFailureOnly.has(type)) };
}
