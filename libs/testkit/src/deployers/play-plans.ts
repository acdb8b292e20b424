// A deployer's part in a plan, for tests: answers requests with what it is given.
import { kubeResources, planSecretName, resources, toTimestamp, type DeployItem } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

const operation = "landscaper.gardener.cloud/operation";

/** The namespace whose items are planned. */
export interface PlanPlace {
  readonly client: Client;
  readonly namespace: string;
}

export interface PlayedPlan {
  readonly summary: string;
  readonly text: string;
  readonly changes: readonly unknown[];
  readonly heldBack?: string;
  readonly details?: object;
}

/** The condition of an item; in the place of what was there. */
export async function setPlanned(
  place: PlanPlace,
  item: DeployItem,
  planned: { readonly status: "True" | "False" | "Unknown"; readonly message: string },
): Promise<void> {
  const now = toTimestamp(new Date());
  const condition = { type: "Planned", reason: "Test", lastTransitionTime: now, lastUpdateTime: now, ...planned };
  const key = { namespace: place.namespace, name: item.metadata.name ?? "" };
  const body = { status: { conditions: [condition] } };
  await place.client.patch(resources.deployItem, key, { type: "merge", subresource: "status", body });
}

export async function removeRequest(place: PlanPlace, item: DeployItem): Promise<void> {
  const body = { metadata: { annotations: { [operation]: null } } };
  const key = { namespace: place.namespace, name: item.metadata.name ?? "" };
  await place.client.patch(resources.deployItem, key, { type: "merge", body });
}

/** Writes the Secret of a plan. */
async function putPlan(place: PlanPlace, item: DeployItem, { text, ...plan }: PlayedPlan): Promise<void> {
  const { name = "", uid = "", generation } = item.metadata;
  const document = { generation, time: "2026-01-01T00:09:00.000Z", ...plan };
  const owner = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "DeployItem", name, uid };
  const key = { namespace: place.namespace, name: planSecretName(name) };
  const data = {
    "plan.json": Buffer.from(JSON.stringify(document)).toString("base64"),
    "plan.txt": Buffer.from(text).toString("base64"),
  };
  const known = await place.client.find(kubeResources.secret, key);
  if (known !== undefined) await place.client.delete(kubeResources.secret, key);
  const metadata = { ...key, ownerReferences: [owner] };
  await place.client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
}

/** Answers the requests of the namespace until it is stopped; a text is an error, and what it knows nothing of stays. */
export function playPlans(
  place: PlanPlace,
  answers: Readonly<Record<string, PlayedPlan | string>>,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const answer = async (item: DeployItem): Promise<void> => {
    const given = answers[item.metadata.name ?? ""];
    if (given === undefined) return;
    if (typeof given !== "string") await putPlan(place, item, given);
    const message = typeof given === "string" ? given : given.summary;
    await setPlanned(place, item, { status: typeof given === "string" ? "False" : "True", message });
    await removeRequest(place, item);
  };
  const play = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { items } = await place.client.list(resources.deployItem, { namespace: place.namespace });
      const asked = items.filter(({ metadata }) => metadata.annotations?.[operation]?.startsWith("plan"));
      for (const item of asked) await answer(item);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const playing = play();
  return {
    stop: async () => {
      stopping.abort();
      await playing;
    },
  };
}
