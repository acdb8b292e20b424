import type { Preview, PreviewContext } from "@landscaper/deployer";
import { otherVersion } from "@landscaper/helm";
import type { HelmConfig } from "../helm-config.ts";
import { readHelmStatus } from "../helm-status.ts";
import { describeVersion, type DescribedVersion } from "../release/choose-version.ts";
import { describeSwitch, versionDetails } from "./switch-report.ts";
import type { SwitchRequest } from "./switch-request.ts";

/** Returns the plan of a job; its text names the version of Helm if it is not the one of the last revision. Pure. */
export function withVersion(plan: Preview, described: DescribedVersion): Preview {
  const { version, recorded } = described;
  const details = { ...plan.details, helm: versionDetails(described) };
  if (recorded === undefined || recorded === version) return { ...plan, details };
  return { ...plan, text: `works as Helm ${version}, the last job worked as Helm ${recorded}\n${plan.text}`, details };
}

/** Answers the question what a switch would change while an annotation keeps the item at a revision. */
export function describeRolledBack(
  { config, providerStatus }: PreviewContext<HelmConfig>,
  asked: SwitchRequest,
): Preview {
  const described = describeVersion(config, { history: [], status: readHelmStatus(providerStatus) });
  const to = asked === "other" ? otherVersion(described.version) : asked;
  return describeSwitch(described, to, { type: "rolledBack" });
}
