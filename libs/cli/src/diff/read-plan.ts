import {
  kubeResources,
  parsePlanDocument,
  planKeys,
  planSecretName,
  type DeployItem,
  type PlanDocument,
} from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import { parseJson } from "@landscaper/json";
import { UsageError } from "../usage-error.ts";

/** A plan as its deployer has written it, masked. */
export interface Plan {
  readonly document: PlanDocument;
  readonly text: string;
}

/** Reads the Secret of an item's plan. Throws UsageError and LandscaperError when there is none, or another one. */
export async function readPlan(client: Pick<Reader, "find">, item: DeployItem, signal: AbortSignal): Promise<Plan> {
  const { namespace, name = "", uid } = item.metadata;
  const key = { namespace, name: planSecretName(name) };
  const secret = await client.find(kubeResources.secret, key, { signal });
  const path = `Secret ${namespace}/${key.name}`;
  if (secret === undefined) throw new UsageError(`${path}: it has held the plan, and is gone`);
  if (secret.metadata.ownerReferences?.some((owner) => owner.uid === uid) !== true) {
    throw new UsageError(`${path}: expected the plan of ${name}, found a Secret of somebody else`);
  }
  const read = (entry: string): string => Buffer.from(secret.data?.[entry] ?? "", "base64").toString("utf8");
  return {
    document: parsePlanDocument(readJson(read(planKeys.json)), `${path}: ${planKeys.json}`),
    text: read(planKeys.text),
  };
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Not a plan: the parser says so.
    return undefined;
  }
}
