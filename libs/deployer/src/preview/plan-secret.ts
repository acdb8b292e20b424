import { buildItemSecret, LandscaperError, labels, planLabelValue, planSecretName } from "@landscaper/api";
import type { Preview } from "../deployer-interface.ts";
import { encodePlan } from "./encode-plan.ts";
import { writeSecret, type ItemSecretOptions } from "../jobs/reporting/item-secret.ts";

/** Writes the plan of the item into its Secret, and says its name. */
export async function writePlan(
  preview: Preview,
  { now, ...options }: ItemSecretOptions & { readonly now: Date },
): Promise<string> {
  const { name: itemName = "", generation } = options.item.metadata;
  const name = planSecretName(itemName);
  const metadata = { name, labels: { [labels.planOf]: planLabelValue(itemName) } };
  const secret = buildItemSecret(options.item, { metadata, data: encodePlan(preview, { generation, now }) });
  await writeSecret(secret, { ...options, isFirst: false, foreign: foreignSecret });
  return name;
}

function foreignSecret(path: string, { isTemporary }: { readonly isTemporary: boolean }): LandscaperError {
  return new LandscaperError({
    message: `Secret ${path} exists, but does not belong to the deploy item`,
    reason: "PlanSecretForeign",
    hint: "plans are written to a Secret of that name: rename or remove it",
    ...(isTemporary ? {} : { retry: "never" }),
  });
}
