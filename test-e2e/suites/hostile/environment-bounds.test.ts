// Random writes of the accounts of an Environment: the API server permits exactly what the table of docs/reference/deployer-management.md permits.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import {
  agentNames,
  annotations,
  keyOf,
  kubeResources,
  labels,
  resources,
  type KubeObject,
  type ResourceType,
  type Secret,
} from "@landscaper/api";
import { isForbidden, type Client } from "@landscaper/controller-runtime";
import { createMergePatch } from "@landscaper/patch";
import { waitFor } from "@landscaper/testkit";
import { createBoundedAccounts, type BoundedAccounts } from "../../hostile/bounded-accounts.ts";
import { createBoundedObjects, type BoundedObjects } from "../../hostile/bounded-objects.ts";
import { markedSecret, ownedSecret } from "../../hostile/environment-objects.ts";
import { dryRun, dryRunDelete, dryRunToken } from "../../hostile/dry-run-writes.ts";
import {
  environmentEdits,
  eventEdits,
  itemEdits,
  leaseEdits,
  metadataEdits,
  secretEdits,
  someOf,
  statusEdits,
  type Edit,
  type EditPools,
} from "../../hostile/random-writes.ts";
import {
  isTokenWithinBounds,
  isWithinBounds,
  type BoundedAccount,
  type BoundedWrite,
} from "../../hostile/within-bounds.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const suffix = randomBytes(4).toString("hex");
/** The other name ends with the own name, so that a comparison of suffixes would be found. */
const [own, other, registration] = [`site-${suffix}`, `edge-site-${suffix}`, "helm"];
const namespace = `bounds-${suffix}`;
const closed = `bounds-closed-${suffix}`;
/** Marks of further namespaces, which permit tokens to the Environments that they name. */
const tokenMarks = [own, other, `${own},${other}`, `${other},${own}`, "*", "", `x-${own}`, `*,${other}`, `${own} `];
const namespaces: readonly (readonly [name: string, marks: Readonly<Record<string, string>> | undefined])[] = [
  // The only namespace with rights of the agent.
  [namespace, { [annotations.environments]: own }],
  [closed, undefined],
  ...tokenMarks.map((mark, index) => [`bounds-${index}-${suffix}`, { [annotations.environments]: mark }] as const),
];
/** Number of creates, and of updates, for each kind and account. */
const numRuns = 400;
const numPatches = 150;
const deployerIdentity = `${registration}-${own}/pod`;
const agentIdentity = `${agentNames(own).identity}/pod`;

/** Where a change of the object needs rights; objects without a namespace need them everywhere. */
const placeOf = (object: KubeObject): string => object.metadata.namespace ?? namespace;

type Json = Parameters<typeof createMergePatch>[0];

function toJson(object: KubeObject): Json {
  return JSON.parse(JSON.stringify(object)) as Json; // an object remains one
}

const verbs = ["create", "update", "patch", "delete"] as const;
type Verb = (typeof verbs)[number];

describe.each(clustersUnderTest())("random writes of Environment accounts on %s", (cluster) => {
  let tested: TestCluster;
  let client: Client;
  let accounts: BoundedAccounts;
  let pools: EditPools;
  let objects: BoundedObjects;
  /** Marked as the own one, in a namespace that is closed to Environments. */
  let closedSecret: Secret;

  beforeAll(async () => {
    tested = await startTestCluster(cluster);
    ({ client } = tested);
    for (const [name, marks] of namespaces) {
      const metadata = {
        name,
        labels: name === closed ? { [labels.noEnvironmentSecrets]: "" } : {},
        ...(marks === undefined ? {} : { annotations: { ...marks } }),
      };
      await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
      const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace: name, name: "tokens" } };
      await client.create(kubeResources.serviceAccount, account);
    }
    accounts = await createBoundedAccounts({ cluster: tested, namespace, environment: own, registration });
    objects = await createBoundedObjects({ client, namespace, own, other, registration, hub: tested });
    const [mine] = objects.items;
    if (mine === undefined) throw new Error("no item");
    const { name = "", uid = "" } = mine.metadata;
    const marked = ownedSecret(markedSecret(closed, "mine-export", own), { name, uid });
    closedSecret = await client.create(kubeResources.secret, marked);
    pools = {
      marks: [own, other, `${own},${other}`, "*", ""],
      identities: [
        deployerIdentity,
        agentIdentity,
        `helm-${other}/pod`,
        `${registration}-${own}-2/pod`,
        "landscaper-core",
      ],
      owners: objects.owners,
      namespaces: [namespace, closed],
    };
    const { deployer } = accounts;
    const attempt = async (): Promise<unknown> =>
      deployer.update(resources.deployItem, { ...mine, metadata: { ...mine.metadata, labels: { a: "b" } } }, dryRun);
    await waitFor(async () => attempt().then(() => false, isForbidden));
  }, 240_000);

  afterAll(async () => {
    await objects.release();
    await accounts.close();
    for (const [name] of namespaces) await client.delete(kubeResources.namespace, { name });
    await tested.stop();
  }, 180_000);

  const accountOf = (type: BoundedAccount["type"]): BoundedAccount => ({
    type,
    environment: own,
    registration,
    namespace,
  });
  /** True: permitted; false: refused; undefined: another error, such as an invalid object or a conflict. */
  const outcomeOf = async (write: () => Promise<unknown>): Promise<boolean | undefined> => {
    try {
      await write();
      return true;
    } catch (error) {
      return isForbidden(error) ? false : undefined;
    }
  };

  /** A Secret that does not exist yet, of an item without Secrets. */
  const newSecret = (): Secret => {
    const { name = "", uid = "" } = objects.items.find(({ metadata }) => metadata.name === "busy")?.metadata ?? {};
    return ownedSecret(markedSecret(namespace, "busy-export", own), { name, uid });
  };

  interface Kind<T extends KubeObject> {
    readonly resource: BoundedWrite["resource"];
    readonly type: ResourceType<T>;
    readonly objects: readonly T[];
    readonly edits: readonly Edit[];
    readonly names: readonly string[];
    /** Returns whether RBAC gives the account the right in this namespace. */
    readonly isGranted: (account: BoundedAccount, verb: Verb, namespace: string) => boolean;
    /** Verbs with which no write of the test can succeed, although RBAC grants them. */
    readonly impossible?: readonly Verb[];
  }

  /** Tries random creates and updates; the API server must permit exactly the writes that the table permits. */
  async function check<T extends KubeObject>(kind: Kind<T>, type: BoundedAccount["type"]): Promise<void> {
    const account = accountOf(type);
    const as = type === "agent" ? accounts.agent : accounts.deployer;
    const outcomes = new Set<string>();
    const compare: Comparison<T>["compare"] = (verb, isPermitted, { write, at }) => {
      if (isPermitted === undefined) return;
      outcomes.add(`${verb} ${isPermitted ? "permitted" : "refused"}`);
      const isExpected = kind.isGranted(account, verb, at) && isWithinBounds(account, write);
      expect({ isPermitted, write }).toEqual({ isPermitted: isExpected, write });
    };
    const creates = fc.record({
      object: fc.constantFrom(...kind.objects),
      edit: someOf(kind.edits),
      name: fc.constantFrom(...kind.names),
      at: fc.constantFrom(namespace, namespace, closed),
    });
    const closedNamespaces = [closed, "kube-system"];
    const parameters = { numRuns, seed: 36 };
    if (kind.resource !== "deployitems/status") {
      await fc.assert(
        fc.asyncProperty(creates, async ({ object, edit, name, at }) => {
          const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, ...rest } = object.metadata;
          const { deletionTimestamp: _deletion, deletionGracePeriodSeconds: _grace, ...metadata } = rest;
          const place = kind.type.namespaced ? { namespace: at } : {};
          const after = edit({ ...object, metadata: { ...metadata, name, ...place } });
          const done = await outcomeOf(async () => as.create(kind.type, after, dryRun));
          const write = { resource: kind.resource, before: undefined, after, closedNamespaces };
          compare("create", done, { write, at });
        }),
        parameters,
      );
    }
    await fc.assert(
      fc.asyncProperty(creates, async ({ object: before, edit }) => {
        const isStatus = kind.resource === "deployitems/status";
        const after = edit(before);
        const done = await outcomeOf(async () =>
          isStatus ? as.updateStatus(kind.type, after, dryRun) : as.update(kind.type, after, dryRun),
        );
        const write = { resource: kind.resource, before, after, closedNamespaces };
        compare("update", done, { write, at: placeOf(before) });
      }),
      parameters,
    );
    await checkPatchesAndDeletes(kind, { as, creates, compare });
    // Without permitted writes the test would prove nothing about the table.
    const isPossible = (verb: Verb): boolean =>
      kind.isGranted(account, verb, namespace) && !(kind.impossible ?? []).includes(verb);
    expect([...outcomes]).toEqual(expect.arrayContaining(verbs.filter(isPossible).map((verb) => `${verb} permitted`)));
    expect([...outcomes]).toEqual(expect.arrayContaining(["update refused"]));
  }

  interface Comparison<T extends KubeObject> {
    readonly as: Client;
    readonly creates: fc.Arbitrary<{ readonly object: T; readonly edit: Edit }>;
    readonly compare: (
      verb: Verb,
      isPermitted: boolean | undefined,
      sent: { readonly write: BoundedWrite; readonly at: string },
    ) => void;
  }

  async function checkPatchesAndDeletes<T extends KubeObject>(
    kind: Kind<T>,
    { as, creates, compare }: Comparison<T>,
  ): Promise<void> {
    // No account has the right to patch a status, and a status cannot be deleted.
    if (kind.resource === "deployitems/status") return;
    const closedNamespaces = [closed, "kube-system"];
    await fc.assert(
      fc.asyncProperty(creates, async ({ object: before, edit }) => {
        const after = edit(before);
        const body = createMergePatch(toJson(before), toJson(after));
        const done = await outcomeOf(async () =>
          as.patch(kind.type, keyOf(before), { type: "merge", body, dryRun: true }),
        );
        const write = { resource: kind.resource, before, after, closedNamespaces };
        compare("patch", done, { write, at: placeOf(before) });
      }),
      { numRuns: numPatches, seed: 37 },
    );
    for (const before of kind.objects) {
      const done = await outcomeOf(async () => dryRunDelete(kind.type, keyOf(before))(as));
      const write = { resource: kind.resource, before, after: undefined, closedNamespaces };
      compare("delete", done, { write, at: placeOf(before) });
    }
  }

  /** Deployers have rights in all namespaces, agents only in the namespace of deployer management. */
  const isInReach = ({ type }: BoundedAccount, at: string): boolean => type === "deployer" || at === namespace;
  const granting =
    (...verbs: readonly Verb[]) =>
    (account: BoundedAccount, verb: Verb, at: string): boolean =>
      verbs.includes(verb) && isInReach(account, at);

  describe.each(["deployer", "agent"] as const)("by the account of the %s", (type) => {
    it("to Secrets agree with the table", async () => {
      const edits = [...metadataEdits(pools), ...secretEdits];
      const names = [
        "mine-export",
        "mine-plan",
        "busy-export",
        "theirs-export",
        "sh.helm.release.v1.landscaper.v2",
        "new-export",
      ];
      const kind = {
        resource: "secrets",
        type: kubeResources.secret,
        objects: [...objects.secrets, closedSecret, newSecret()],
        edits,
        names,
      } as const;
      await check({ ...kind, isGranted: granting("create", "update", "delete") }, type);
    });

    it("to DeployItems agree with the table", async () => {
      const edits = [...metadataEdits(pools), ...itemEdits];
      const kind = { resource: "deployitems", type: resources.deployItem, objects: objects.items, edits } as const;
      await check({ ...kind, names: ["new"], isGranted: granting("update", "patch") }, type);
    });

    it("to the status of DeployItems agree with the table", async () => {
      const edits = statusEdits(pools);
      const kind = {
        resource: "deployitems/status",
        type: resources.deployItem,
        objects: objects.items,
        edits,
      } as const;
      await check({ ...kind, names: ["new"], isGranted: granting("update") }, type);
    });

    it("to Leases agree with the table", async () => {
      const edits = [...metadataEdits(pools), ...leaseEdits(pools)];
      const names = ["new.0123abcd", "new", "landscaper-core-main", agentNames(own).lease, agentNames(other).lease];
      const kind = { resource: "leases", type: kubeResources.lease, objects: objects.leases, edits, names } as const;
      // Both have their rights to Leases in the namespace of deployer management.
      const isGranted = (_account: BoundedAccount, verb: Verb, at: string) => verb !== "patch" && at === namespace;
      // The only Lease that an agent may create exists already.
      const impossible: readonly Verb[] = type === "agent" ? ["create"] : [];
      await check({ ...kind, isGranted, impossible }, type);
    });

    it("to Events agree with the table", async () => {
      const edits = [...metadataEdits(pools), ...eventEdits(pools)];
      const kind = { resource: "events", type: kubeResources.event, objects: objects.events, edits } as const;
      await check({ ...kind, names: ["new"], isGranted: granting("create", "patch") }, type);
    });

    it("to tokens of ServiceAccounts agree with the table", async () => {
      const account = accountOf(type);
      const as = type === "agent" ? accounts.agent : accounts.deployer;
      for (const [name, marks] of namespaces) {
        const isPermitted = await outcomeOf(() => dryRunToken(name, "tokens")(as));
        const isExpected = isInReach(account, name) && isTokenWithinBounds(account, marks);
        expect({ marks, isPermitted }).toEqual({ marks, isPermitted: isExpected });
      }
    });
  });

  it("to Environments by the account of the agent agree with the table", async () => {
    const edits = [...metadataEdits(pools), ...environmentEdits(own, other)];
    const kind = {
      resource: "environments",
      type: resources.environment,
      objects: objects.environments,
      edits,
    } as const;
    // The account also has the right to create Environments, which agents of earlier releases have.
    const isGranted = (_account: BoundedAccount, verb: Verb) => verb === "create" || verb === "update";
    const impossible = ["create"] as const;
    await check({ ...kind, names: [own, other, "new"], isGranted, impossible }, "agent");
  });
});
