import {
  annotations,
  environmentsMarkOf,
  judgeItemSecret,
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
  const { namespace, name = "" } = item.metadata;
  const key = { namespace, name: planSecretName(name) };
  const secret = await client.find(kubeResources.secret, key, { signal });
  const path = `Secret ${namespace}/${key.name}`;
  if (secret === undefined) throw new UsageError(`${path}: it has held the plan, and is gone`);
  const verdict = judgeItemSecret(secret, item);
  const remedy = "delete the Secret, and ask for the plan again";
  if (verdict === "foreign")
    throw new UsageError(`${path}: expected the plan of ${name}, found a Secret with another owner; ${remedy}`);
  if (verdict === "otherMark") {
    const [expected, found] = [item, secret].map(environmentsMarkOf);
    throw new UsageError(
      `${path}: expected the annotation ${annotations.environments} of ${name}, ${describeMark(expected)}, found ${describeMark(found)}; ${remedy}`,
    );
  }
  const read = (entry: string): string => Buffer.from(secret.data?.[entry] ?? "", "base64").toString("utf8");
  return {
    document: parsePlanDocument(readJson(read(planKeys.json)), `${path}: ${planKeys.json}`),
    text: read(planKeys.text),
  };
}

function describeMark(mark: string | undefined): string {
  return mark === undefined ? "none" : JSON.stringify(mark);
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Not a plan: the parser says so.
    return undefined;
  }
}
