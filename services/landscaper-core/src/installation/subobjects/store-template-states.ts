import { kubeResources, LandscaperError, type Installation, type Secret } from "@landscaper/api";
import { isAlreadyExists, type Client } from "@landscaper/controller-runtime";
import { installationOwners, nameOf, namespaceOf, uidOf } from "../../object-reading.ts";
import type { StateSecret } from "../../rendering/render-task.ts";
import { plainOwner } from "../imports/import-copies.ts";

/** Key of the text in a Secret with a state. */
const entry = "config";

export interface StateSecretOptions {
  readonly client: Client;
  readonly installation: Installation;
  readonly signal: AbortSignal;
}

/** See FindStateTexts. */
export async function findStateTexts(
  { client, installation, signal }: StateSecretOptions,
  names: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const namespace = namespaceOf(installation);
  const secrets = names.map(async (name) => client.find(kubeResources.secret, { namespace, name }, { signal }));
  return (await Promise.all(secrets)).map((secret) => {
    if (secret !== undefined) checkOwner(secret, installation);
    return secret?.data?.[entry];
  });
}

/**
 * The name of a state follows from names that users choose: a Secret of that name may be anything. Throws LandscaperError unless the
 * Installation owns it, or an earlier one of its name.
 */
function checkOwner(secret: Secret, installation: Installation): void {
  if (installationOwners(secret).some(({ name }) => name === nameOf(installation))) return;
  throw new LandscaperError({
    message: `template state: Secret "${nameOf(secret)}" exists, but does not belong to the installation`,
    reason: "TemplatingFailed",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "states are kept in a Secret of that name: rename or remove it",
    retry: "never",
  });
}

/** Stores the states that a rendering has come to, before anything that follows from it is written. */
export async function storeTemplateStates(options: StateSecretOptions, states: readonly StateSecret[]): Promise<void> {
  await Promise.all(states.map(async (state) => storeState(options, state)));
}

async function storeState(
  { client, installation, signal }: StateSecretOptions,
  { name, text }: StateSecret,
): Promise<void> {
  const key = { namespace: namespaceOf(installation), name };
  const data = { [entry]: Buffer.from(text, "utf8").toString("base64") };
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...key, ownerReferences: [{ ...plainOwner(installation), controller: true }] },
    data,
  };
  try {
    await client.create(kubeResources.secret, secret, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const live = await client.get(kubeResources.secret, key, { signal });
    checkOwner(live, installation);
    const { resourceVersion } = live.metadata;
    const isOurs = installationOwners(live).some(({ uid }) => uid === uidOf(installation));
    // What an earlier Installation has left goes with it otherwise.
    const { ownerReferences } = secret.metadata;
    const metadata = isOurs ? { resourceVersion } : { resourceVersion, ownerReferences };
    await client.patch(kubeResources.secret, key, { type: "merge", body: { metadata, data }, signal });
  }
}
