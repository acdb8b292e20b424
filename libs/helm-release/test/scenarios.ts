// Operations whose every request is made to fail in turn: what they begin with, and what they leave.
import type { UnstructuredObject } from "@landscaper/api";
import { createRollback } from "../src/create-rollback.ts";
import { createUninstall } from "../src/create-uninstall.ts";
import { Deployment, type DeploymentOptions } from "../src/deployment.ts";
import type { ReleaseContext } from "../src/release-context.ts";
import type { ReleaseRecord } from "../src/records/release-record.ts";
import {
  configMap,
  configMapType,
  contentOf,
  hook,
  jobType,
  secretType,
  type Advancing,
  type ReleaseFixture,
} from "./release-fixture.ts";

const { signal } = new AbortController();

export interface Scenario {
  readonly name: string;
  /** What is there before; undefined: nothing. */
  prepare?(context: ReleaseContext, fixture: ReleaseFixture): Promise<unknown>;
  /** A new try, in a process that knows nothing but what the records tell; undefined: there is nothing left to do. */
  begin(context: ReleaseContext): Promise<Advancing | undefined>;
  /** Whether the operation ends with an error even when nothing disturbs it. */
  readonly endsWith?: string;
}

const hooks = [
  hook("before", "pre-install,pre-upgrade,pre-rollback,pre-delete", { weight: "-1" }),
  hook("once", "pre-install,pre-upgrade,pre-rollback,pre-delete", { "delete-policy": "hook-succeeded" }),
  hook("after", "post-install,post-upgrade,post-rollback,post-delete", {
    "delete-policy": "before-hook-creation,hook-succeeded",
  }),
  {
    ...configMap(
      "note",
      {},
      { "helm.sh/hook": "pre-install,pre-upgrade", "helm.sh/hook-delete-policy": "hook-succeeded" },
    ),
  },
];
const badHook = hook("bad", "post-install,post-upgrade", { "delete-policy": "before-hook-creation,hook-failed" });
const first = contentOf([configMap("a", { key: "1", gone: "1" }), configMap("b"), ...hooks]);
const next = contentOf([configMap("a", { key: "2" }), configMap("c", { key: "1" }), ...hooks]);
const failing = contentOf([configMap("a", { key: "2" }), configMap("c", { key: "1" }), badHook]);

/** As the deployer does it: what has failed of the same content is tried again under its number, what is deployed is left alone. */
async function retry(
  context: ReleaseContext,
  content: typeof first,
  { revision, ...options }: DeploymentOptions & { readonly revision: number },
): Promise<Deployment | undefined> {
  const newest = (await context.store.history({ signal })).at(-1);
  if (newest?.version === revision && newest.info.status === "deployed") return undefined;
  return new Deployment(context, content, { retryOf: revision, abandonedAfterMs: 0, ...options });
}

async function isRolledBack({ store }: ReleaseContext): Promise<boolean> {
  const newest = (await store.history({ signal })).at(-1);
  return newest?.info.status === "deployed" && newest.info.description === "Rollback to 1";
}

export const scenarios: readonly Scenario[] = [
  { name: "an install", begin: async (context) => retry(context, first, { revision: 1 }) },
  {
    name: "an upgrade",
    prepare: async (context, fixture) => fixture.deploy(context, first),
    begin: async (context) => retry(context, next, { revision: 2 }),
  },
  {
    name: "a rollback",
    async prepare(context, fixture) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, next);
    },
    async begin(context) {
      if (await isRolledBack(context)) return undefined;
      const history = await context.store.history({ signal });
      const [target] = history;
      if (target === undefined) throw new Error("there is no revision");
      return createRollback(context, { target, history, retryOf: 3, options: {} });
    },
  },
  {
    name: "an uninstall",
    async prepare(context, fixture) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, next);
    },
    async begin(context) {
      const history = await context.store.history({ signal });
      return history.length === 0 ? undefined : createUninstall(context, history, { wait: true });
    },
  },
  {
    name: "an atomic install that fails",
    begin: async (context) => retry(context, failing, { revision: 1, atomic: true }),
    endsWith: "was uninstalled",
  },
  {
    name: "an atomic upgrade that fails",
    prepare: async (context, fixture) => fixture.deploy(context, first),
    async begin(context) {
      // Whether it was undone tells the record: the deployer does not try it again then.
      return (await isRolledBack(context)) ? undefined : retry(context, failing, { revision: 2, atomic: true });
    },
    endsWith: "was rolled back to revision 1",
  },
];

/** Names of hooks of a half-done operation that have ended well, as the newest record tells. */
export function endedRuns(history: readonly ReleaseRecord[]): string[] {
  const newest = history.at(-1);
  if (newest === undefined || !isHalfDone(newest)) return [];
  const { hooks: all, info } = newest;
  // A record that is being uninstalled knows the runs of its deployment as well.
  const ended = all.filter(({ last_run }) => last_run.phase === "Succeeded" && last_run.started_at >= info.deleted);
  return ended.map(({ name }) => name);
}

/** Whether the newest revision is that of an operation that has not come to its end. */
export function isHalfDone({ info }: ReleaseRecord): boolean {
  return /^(pending-.*|uninstalling|failed)$/.test(info.status);
}

/** Objects with what they hold, and the newest record that is not failed: equal after equal ends. */
export async function finalState(context: ReleaseContext, { client }: ReleaseFixture): Promise<object> {
  const { namespace, store } = context;
  const own = ({ metadata, type }: UnstructuredObject): boolean =>
    metadata.name !== "kube-root-ca.crt" && type !== "helm.sh/release.v1";
  const lists = await Promise.all(
    [configMapType, secretType, jobType].map(async (type) => client.list<UnstructuredObject>(type, { namespace })),
  );
  const objects = lists.flatMap(({ items }) => items.filter(own));
  const history = await store.history({ signal });
  return {
    objects: objects.map(({ metadata: { name, labels, annotations }, data }) => {
      const { "controller-uid": _1, "batch.kubernetes.io/controller-uid": _2, ...marks } = labels ?? {};
      const { "meta.helm.sh/release-namespace": _3, ...notes } = annotations ?? {};
      return { name, marks, notes, data };
    }),
    // Failed tries in between may have taken numbers.
    deployed: history
      .filter(({ info }) => info.status === "deployed")
      .map(({ info, hooks: all }) => ({
        description: info.description,
        hooks: all.map(({ name, last_run }) => `${name} ${last_run.phase}`),
      })),
    open: history
      .map(({ info }) => info.status)
      .filter((status) => !["deployed", "superseded", "failed"].includes(status)),
    count: history.length === 0 ? "no records" : "records",
  };
}
