// Reads of Secrets by Environment accounts, as rows of the attack matrix.
import { kubeResources, type Secret } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { listRights } from "./reach.ts";
import { isPermitted } from "./unbounded-reach.ts";
import { outcomeOf, type MatrixAccount, type MatrixPlace, type MatrixRow } from "./attack-matrix.ts";

/** Secrets of the namespace by their owner or role. The Role of the agent lists the first. */
const secretNames: Readonly<Record<string, string>> = {
  "its own": "mine-export",
  "another Environment's": "mine-plan",
  "a kubeconfig": "theirs-kubeconfig",
  "a release of Helm": "sh.helm.release.v1.landscaper.v1",
};

/** Names of the Secrets that the Role of the agent has to list. */
export const listedSecrets: readonly string[] = Object.values(secretNames).slice(0, 1);

/** Creates the Secrets that `createBoundedObjects` does not create. */
export async function createReadableSecrets(client: Client, namespace: string): Promise<void> {
  for (const name of Object.values(secretNames).slice(2)) {
    const secret: Secret = { apiVersion: "v1", kind: "Secret", type: "Opaque", metadata: { namespace, name } };
    await client.create(kubeResources.secret, secret);
  }
}

const readVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Tries every right of the account to read objects of other kinds. */
async function runReadsOfKinds(
  as: Client,
  { name, home }: MatrixAccount,
  { client, namespace }: Pick<MatrixPlace, "client" | "namespace">,
): Promise<readonly MatrixRow[]> {
  const rights = await listRights(as, client, home ?? namespace);
  const reads = rights.filter(({ verb, type }) => readVerbs.has(verb) && type.plural !== "secrets");
  const rows: MatrixRow[] = [];
  for (const right of reads) {
    const { type, verb, names } = right;
    const key = { namespace: type.namespaced ? namespace : undefined, name: names[0] ?? "attack" };
    const outcome = (await isPermitted(as, right, key)) ? "permitted" : "rights";
    const target = names.length === 0 ? "any" : "its own";
    rows.push({ account: name, resource: type.plural, verb, target, attack: "nothing foreign", outcome });
  }
  return rows;
}

/** Tries to read Secrets by each verb, whatever rights the account has, and other kinds by the rights that it has. */
export async function runReads(
  as: Client,
  account: MatrixAccount,
  place: Pick<MatrixPlace, "client" | "namespace">,
): Promise<readonly MatrixRow[]> {
  const { namespace } = place;
  const rows: MatrixRow[] = [...(await runReadsOfKinds(as, account, place))];
  const row = async (verb: string, target: string, read: () => Promise<unknown>): Promise<void> => {
    const outcome = await outcomeOf(read, undefined);
    rows.push({ account: account.name, resource: "secrets", verb, target, attack: "nothing foreign", outcome });
  };
  for (const [target, name] of Object.entries(secretNames)) {
    await row("get", target, () => as.get(kubeResources.secret, { namespace, name }));
  }
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  await row("list", "all of the namespace", () => as.request({ method: "GET", path }));
  const watch = `${path}?watch=true&timeoutSeconds=1`;
  await row("watch", "all of the namespace", () => as.request({ method: "GET", path: watch, answer: "text" }));
  return rows;
}
