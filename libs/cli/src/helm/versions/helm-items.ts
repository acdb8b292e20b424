import type { DeployItem } from "@landscaper/api";
import { compareStrings } from "@landscaper/goyaml";
import { isJsonObject } from "@landscaper/resources";
import type { TreeObjects } from "../../tree/object-index.ts";

/** `spec.type` of the items whose deployer renders charts. */
const helmType = "landscaper.gardener.cloud/helm";

/** A helm DeployItem, and the Installation that it belongs to. */
export interface HelmItem {
  readonly item: DeployItem;
  /** Name; undefined if the item has no Installation. */
  readonly installation: string | undefined;
}

/** Returns all helm items, by namespace, Installation and name. Pure. */
export function findHelmItems({ installations, executions, deployItems }: TreeObjects): HelmItem[] {
  const installationByUid = new Map(installations.map(({ metadata }) => [metadata.uid, metadata.name]));
  const executionByUid = new Map(executions.map((execution) => [execution.metadata.uid, execution]));
  return deployItems
    .filter(({ spec }) => spec.type === helmType)
    .map((item) => {
      const execution = ownersOf(item)
        .map((uid) => executionByUid.get(uid))
        .find((found) => found !== undefined);
      const owners = execution === undefined ? [] : ownersOf(execution);
      const installation = owners.map((uid) => installationByUid.get(uid)).find((name) => name !== undefined);
      return { item, installation };
    })
    .toSorted((a, b) => compareStrings(sortKeyOf(a), sortKeyOf(b)));
}

/** Version of Helm of an item whose deployer gives no answer, as far as the item itself says it. */
export function notedVersion({
  spec,
  status,
}: DeployItem): { readonly version: string; readonly source: "item" | "status" } | undefined {
  const wanted = spec.config?.["helmVersion"];
  if (wanted === "3" || wanted === "4") return { version: wanted, source: "item" };
  const noted = status?.providerStatus;
  if (!isJsonObject(noted) || (noted["mode"] === undefined && noted["helmVersion"] === undefined)) return undefined;
  // A deployer without versions works as 3.
  return { version: noted["helmVersion"] === "4" ? "4" : "3", source: "status" };
}

function ownersOf({ metadata }: Pick<DeployItem, "metadata">): string[] {
  return (metadata.ownerReferences ?? []).map(({ uid }) => uid);
}

/** Separator of the key. Names cannot contain a space, and it sorts before all characters of names. */
function sortKeyOf({ item: { metadata }, installation = "" }: HelmItem): string {
  return `${metadata.namespace} ${installation} ${metadata.name ?? ""}`;
}
