import {
  findSensitive,
  LandscaperError,
  parseDuration,
  parseDurationField,
  parseMockProviderConfiguration,
  warnOfConfiguration,
  type MockProviderConfiguration,
} from "@landscaper/api";
import { secretConfigValues, type DeployContext, type Deployer, type Outcome } from "@landscaper/deployer";
import { previewMock } from "./preview-mock.ts";

/** `spec.type` of mock items. */
export const mockDeployItemType = "landscaper.gardener.cloud/mock";

/** A deployer that deploys nothing and ends as its configuration says (deployers.md §1.4, §2.4). */
export function createMockDeployer(version: string): Deployer<MockProviderConfiguration> {
  return {
    type: mockDeployItemType,
    name: "mock.deployer.landscaper.gardener.cloud",
    version,
    parseConfig,
    findWarnings: ({ spec }) => warnOfConfiguration("spec.config", spec.config),
    reconcile: (context) => Promise.resolve(reconcile(context)),
    delete: () => Promise.resolve("done"),
    continuousReconcile: (config) => config.continuousReconcile,
    preview: (context) => Promise.resolve(previewMock(context)),
  };
}

function parseConfig(value: unknown, where: string): MockProviderConfiguration {
  const config = parseMockProviderConfiguration(value, where);
  if (config.delay !== undefined) parseDurationField(config.delay, `${where}: delay`);
  return config;
}

/** `phase` counts always, `initialPhase` for the first pass of a job only. */
function reconcile(context: DeployContext<MockProviderConfiguration>): Outcome {
  const { initialPhase, phase, providerStatus, export: exports, delay } = context.config;
  const job = context.memory(() => ({ startedAt: context.clock.elapsed(), passes: 0 }));
  job.passes++;
  if (providerStatus !== undefined) context.report(providerStatus);
  const remainingMs = delay === undefined ? 0 : job.startedAt + parseDuration(delay) - context.clock.elapsed();
  if (remainingMs > 0) return { type: "waiting", for: "the configured delay", requeueAfterMs: remainingMs };
  const wanted = phase ?? (job.passes === 1 ? initialPhase : undefined) ?? "Succeeded";
  switch (wanted) {
    case "Succeeded":
      return { type: "succeeded", exports, sensitiveExports: findSensitive(exports, secretConfigValues(context.item)) };
    case "Failed":
    case "DeleteFailed":
      throw new LandscaperError({
        message: `spec.config asks for phase ${wanted}`,
        reason: "PhaseRequested",
        retry: "never",
      });
    default:
      return { type: "waiting", for: `the configured phase ${wanted} to change` };
  }
}
