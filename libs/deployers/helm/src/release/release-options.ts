import type { DeploymentOptions } from "@landscaper/helm-release";
import type { PreviewContext } from "@landscaper/deployer";
import { applyManagerOf } from "@landscaper/manifest-deployer-lib";
import type { HelmConfig } from "../helm-config.ts";

/** Name of the deployer; also the field manager of its writes that are no releases. */
export const helmDeployerName = "helm.deployer.landscaper.gardener.cloud";

/** How a revision of the item's release is rolled out. */
export function releaseOptions(
  context: Pick<PreviewContext<HelmConfig>, "config" | "item">,
  { isUpgrade }: { readonly isUpgrade: boolean },
): DeploymentOptions {
  const { options, createNamespace, ignoreFields: ignore } = context.config;
  const phase = (isUpgrade ? options.upgrade : options.install) ?? {};
  const { skipSchemaValidation: _checked, timeout: _unused, remediation: _ours, ...others } = phase;
  return { ...others, createNamespace, serverSideApply: serverSideApplyOf(context), ignore };
}

/** Undefined: the three-way merge. What the item had as manifests before is handed over, by whatever strategy it was written. */
export function serverSideApplyOf({
  config: { updateStrategy, serverSideApply },
  item,
}: Pick<PreviewContext<HelmConfig>, "config" | "item">): DeploymentOptions["serverSideApply"] {
  if (updateStrategy !== "apply") return undefined;
  const { force, takeOver = [] } = serverSideApply ?? {};
  return { force, former: [helmDeployerName, applyManagerOf(item), ...takeOver] };
}

/** What makes a new revision beside chart and values. Nothing where none of it is used, so that digests of older deployers stay. */
export function furtherInputs({
  postRender,
  options,
  updateStrategy,
}: Pick<HelmConfig, "postRender" | "options" | "updateStrategy">): object[] {
  const crdPolicy = options.upgrade?.crdPolicy ?? "Skip";
  const inputs = {
    ...(postRender === undefined ? {} : { postRender: postRender.source }),
    ...(crdPolicy === "Skip" ? {} : { crdPolicy }),
    ...(updateStrategy === "apply" ? { updateStrategy } : {}),
  };
  return Object.keys(inputs).length === 0 ? [] : [inputs];
}
