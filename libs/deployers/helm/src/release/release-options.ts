import {
  inheritedMethod,
  type ApplyMethod,
  type DeploymentOptions,
  type LabelChanges,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import type { DeployContext, PreviewContext } from "@landscaper/deployer";
import { applyManagerOf, configError } from "@landscaper/manifest-deployer-lib";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, type HelmStatus } from "../helm-status.ts";
import { chooseVersion } from "./choose-version.ts";
import { waits, waitStrategyOf } from "./wait-strategy.ts";

/** Name of the deployer; also the field manager of its writes that are no releases. */
export const helmDeployerName = "helm.deployer.landscaper.gardener.cloud";

type Item = Pick<PreviewContext<HelmConfig>, "config" | "item">;

/** All revisions before the one that is rolled out, the oldest first. */
type History = readonly ReleaseRecord[];

export interface RolledOut {
  readonly isUpgrade: boolean;
  readonly history: History;
  readonly status: HelmStatus;
}

/** Returns how a revision of the item's release is rolled out. Throws LandscaperError if `force` meets an inherited server-side apply. */
export function releaseOptions(item: Item, { isUpgrade, history, status }: RolledOut): DeploymentOptions {
  const { options, createNamespace, ignoreFields: ignore } = item.config;
  const phase = (isUpgrade ? options.upgrade : options.install) ?? {};
  const { skipSchemaValidation: _checked, timeout: _unused, remediation: _ours, ...others } = phase;
  if (others.force === true && inheritsApply(item.config, history)) throw forceRefused(item.config, isUpgrade);
  const labels = labelChanges(item.config, status);
  const helmVersion = chooseVersion(item.config, { history, status });
  const waiting = { wait: waits(others, helmVersion), waitStrategy: waitStrategyOf(others, helmVersion) };
  const serverSideApply = serverSideApplyOf(item, history);
  return { ...others, ...waiting, helmVersion, createNamespace, serverSideApply, ignore, labels };
}

/** Returns the method that the strategy of the item means; undefined if the item sets none. */
export function methodOf({ updateStrategy }: Pick<HelmConfig, "updateStrategy">): ApplyMethod | undefined {
  if (updateStrategy === undefined) return undefined;
  return updateStrategy === "apply" ? "ssa" : "csa";
}

/** Whether server-side apply is used because the previous revision used it, and not because the item says so. */
export function inheritsApply({ updateStrategy }: Pick<HelmConfig, "updateStrategy">, history: History): boolean {
  return updateStrategy === undefined && inheritedMethod(history) === "ssa";
}

/**
 * Undefined: the three-way merge. What the item had as manifests before is handed over, by whatever strategy it was written. `history`: all
 * revisions so far, whose method an item without strategy keeps.
 */
export function serverSideApplyOf({ config, item }: Item, history: History): DeploymentOptions["serverSideApply"] {
  const { updateStrategy, serverSideApply } = config;
  const isInherited = inheritsApply(config, history);
  if (updateStrategy !== "apply" && !isInherited) return undefined;
  const { force, takeOver = [] } = serverSideApply ?? {};
  const former = [helmDeployerName, applyManagerOf(item), ...takeOver];
  return { force, former, ...(isInherited ? { conflictHint } : {}) };
}

const conflictHint =
  "the release keeps server-side apply, because its previous revision used it and the item sets no updateStrategy: " +
  "set updateStrategy: update for the three-way merge, or updateStrategy: apply with serverSideApply.force to take the fields over";

function forceRefused({ name, namespace }: HelmConfig, isUpgrade: boolean): Error {
  const field = `helmDeploymentConfig.${isUpgrade ? "upgrade" : "install"}.force`;
  return configError(
    `release ${namespace}/${name}: expected no ${field}, because the previous revision used server-side apply, which replaces nothing, and the item sets no updateStrategy`,
    `set updateStrategy: update, or remove ${field}`,
  );
}

/** Announces that the release keeps server-side apply, once: the status of a revision that keeps it says so. */
export function announceInherited(
  { config, announce }: Pick<DeployContext<HelmConfig>, "config" | "announce">,
  { history, status }: Pick<RolledOut, "history" | "status">,
): void {
  if (!inheritsApply(config, history) || releaseIn(status, config)?.inheritsApply === true) return;
  const { name, namespace } = config;
  const previous = `revision ${history.at(-1)?.version}`;
  announce({
    reason: "ServerSideApplyKept",
    message: `release ${namespace}/${name}: ${previous} used server-side apply, and the item sets no updateStrategy: further revisions use it as well; updateStrategy: update returns to the three-way merge`,
  });
}

/** Labels that the item sets, and those that it has set before and no longer has. As with Helm, the value "null" removes a label. */
function labelChanges(config: HelmConfig, status: HelmStatus): LabelChanges | undefined {
  const { labels } = config;
  const before = releaseIn(status, config)?.labels ?? [];
  if (before.length === 0 && Object.keys(labels).length === 0) return undefined;
  const dropped = before.map((key) => [key, null] as const);
  const set = Object.entries(labels).map(([key, value]) => [key, value === "null" ? null : value] as const);
  return Object.fromEntries([...dropped, ...set]);
}

function releaseIn({ release }: HelmStatus, config: HelmConfig): HelmStatus["release"] {
  return release !== undefined && isSameRelease(release, config) ? release : undefined;
}

/** What makes a new revision beside chart and values. Nothing where none of it is used, so that digests of older deployers stay. */
export function furtherInputs({
  postRender,
  options,
  updateStrategy,
  labels,
}: Pick<HelmConfig, "postRender" | "options" | "updateStrategy" | "labels">): object[] {
  const crdPolicy = options.upgrade?.crdPolicy ?? "Skip";
  const inputs = {
    ...(postRender === undefined ? {} : { postRender: postRender.source }),
    ...(crdPolicy === "Skip" ? {} : { crdPolicy }),
    ...(updateStrategy === "apply" ? { updateStrategy } : {}),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
  return Object.keys(inputs).length === 0 ? [] : [inputs];
}
