import type { DeploymentOptions } from "@landscaper/helm-release";
import type { HelmConfig } from "./helm-config.ts";

/** How a revision of the item's release is rolled out. */
export function releaseOptions(
  { options, createNamespace }: Pick<HelmConfig, "options" | "createNamespace">,
  { isUpgrade }: { readonly isUpgrade: boolean },
): DeploymentOptions {
  const phase = (isUpgrade ? options.upgrade : options.install) ?? {};
  const { skipSchemaValidation: _checked, timeout: _unused, remediation: _ours, ...others } = phase;
  return { ...others, createNamespace };
}

/** What makes a new revision beside chart and values. Nothing where none of it is used, so that digests of older deployers stay. */
export function furtherInputs({ postRender, options }: Pick<HelmConfig, "postRender" | "options">): object[] {
  const crdPolicy = options.upgrade?.crdPolicy ?? "Skip";
  const inputs = {
    ...(postRender === undefined ? {} : { postRender: postRender.source }),
    ...(crdPolicy === "Skip" ? {} : { crdPolicy }),
  };
  return Object.keys(inputs).length === 0 ? [] : [inputs];
}
