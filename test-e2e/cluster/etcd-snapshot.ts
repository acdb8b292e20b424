// What an API server keeps, put back as it was: the next suite finds the cluster as it came.

/** Written by the API server's own clocks, with etcd leases: never part of what is put back. */
const own = ["/registry/leases/kube-system/", "/registry/masterleases/"];
const root = "/registry/";
/** etcd takes no more operations in one transaction. */
const maxOperations = 128;

interface KeyValue {
  readonly key: string;
  readonly value?: string;
  readonly mod_revision: string;
}

export interface EtcdSnapshot {
  /** By key in base64. */
  readonly values: ReadonlyMap<string, { readonly value: string; revision: string }>;
}

const encode = (text: string): string => Buffer.from(text, "utf8").toString("base64");
const isKept = ({ key }: KeyValue): boolean => {
  const text = Buffer.from(key, "base64").toString("utf8");
  return !own.some((prefix) => text.startsWith(prefix));
};

/** One call of etcd's JSON gateway (v3). Throws an Error with its answer. */
async function call(url: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/v3/kv/${path}`, { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`etcd ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>; // by the gateway's definition
}

async function listKeys(url: string, isKeysOnly: boolean): Promise<readonly KeyValue[]> {
  // The end of a range is not part of it: "0" follows "/".
  const range = { key: encode(root), range_end: encode("/registry0"), keys_only: isKeysOnly };
  const { kvs } = await call(url, "range", range);
  return ((kvs ?? []) as readonly KeyValue[]).filter(isKept);
}

export async function takeSnapshot(url: string): Promise<EtcdSnapshot> {
  const found = await listKeys(url, false);
  return {
    values: new Map(found.map(({ key, value = "", mod_revision }) => [key, { value, revision: mod_revision }])),
  };
}

/** Operations that make of what is there what was there. Pure. */
export function planRestore({ values }: EtcdSnapshot, now: readonly KeyValue[]): readonly object[] {
  const revisions = new Map(now.map(({ key, mod_revision }) => [key, mod_revision]));
  const puts = [...values]
    .filter(([key, { revision }]) => revisions.get(key) !== revision)
    .map(([key, { value }]) => ({ request_put: { key, value } }));
  const deletions = now.filter(({ key }) => !values.has(key)).map(({ key }) => ({ request_delete_range: { key } }));
  return [...deletions, ...puts];
}

/** Afterwards the API server knows, by its watch, and so do its clients. */
export async function restoreSnapshot(url: string, snapshot: EtcdSnapshot): Promise<void> {
  const operations = planRestore(snapshot, await listKeys(url, true));
  for (let at = 0; at < operations.length; at += maxOperations) {
    await call(url, "txn", { success: operations.slice(at, at + maxOperations) });
  }
  for (const { key, mod_revision } of await listKeys(url, true)) {
    const known = snapshot.values.get(key);
    if (known !== undefined) known.revision = mod_revision;
  }
}
