import type { KubeObject, UnstructuredObject } from "@landscaper/api";
import { isJobOpen, resources } from "@landscaper/api";
import { isNotFound } from "@landscaper/controller-runtime";
import {
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
  spiff,
} from "../../src/installations/inline-installation.ts";
import { triggerJob } from "../../src/namespaces/trigger-job.ts";
import { createNamespace } from "../measure/create-namespace.ts";
import { removeObjects } from "./remove-objects.ts";
import { hostileTenants, type HostileLoad, type HostilePlace } from "./hostile-load.ts";

const inFlight = 8;
/** However fast they end: then it is enough. */
const maxJobs = 2000;
const doublings = 22;

/** `type0` is a string, each following one refers to the one before it twice: 2^22 references in all. */
const doublingTypes = Object.fromEntries(
  Array.from({ length: doublings + 1 }, (_, index) => {
    const reference = { $ref: `local://type${index - 1}` };
    return [
      `type${index}`,
      index === 0 ? { type: "string" } : { type: "object", properties: { a: reference, b: reference } },
    ];
  }),
);

/** Distinct values that a validator compares with each other. */
const distinctValues = Array.from({ length: 60_000 }, (_, index) => ({ a: index }));

/** Blueprints that want as much processor time as they can get, by name. Each makes no deploy items. */
export const hungryBlueprints: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "keys-go-template": {
    deployExecutions: goTemplate(
      '{{ range until 1000 }}{{ $key := genPrivateKey "rsa" }}{{ end }}{{ $ca := genCA "ca" 365 }}\ndeployItems: []\n',
    ),
  },
  "keys-spiff": {
    deployExecutions: spiff(`keys: (( map[[1..1000]|i|-> x509genkey(4096)] ))\ndeployItems: []\n`),
  },
  references: {
    imports: [dataParameter("value", { $ref: `local://type${doublings}` })],
    localTypes: doublingTypes,
    deployExecutions: goTemplate("deployItems: []\n"),
  },
  "unique-items": {
    imports: [dataParameter("value", { type: "array", uniqueItems: true })],
    deployExecutions: goTemplate("deployItems: []\n"),
  },
  "yaml-output": {
    deployExecutions: goTemplate("{{ range until 600000 }}- { key: value }\n{{ end }}deployItems: []\n"),
  },
  "yaml-functions": {
    deployExecutions: goTemplate(
      '{{ range until 1000 }}{{ $list := fromYaml (printf "list:\\n%s" (repeat 100000 "- { key: value }\\n")) }}{{ $text := toYaml $list }}{{ end }}\ndeployItems: []\n',
    ),
  },
};

const importing = new Set(["references", "unique-items"]);

function createHungry(name: string): UnstructuredObject {
  const imports = importing.has(name) ? { imports: { data: [{ name: "value", dataRef: "values" }] } } : {};
  return inlineInstallation({ name, blueprint: hungryBlueprints[name] ?? {}, ...imports });
}

/** Keeps every Installation of the namespaces at a job: as soon as one has ended, the tenant asks for the next. */
async function keepTriggering(
  { environment: { client } }: HostilePlace,
  namespace: string,
  { signal, mayTrigger }: { readonly signal: AbortSignal; readonly mayTrigger: () => boolean },
): Promise<void> {
  const triggered = new Set<string>();
  const { resourceVersion } = await client.list(resources.installation, { namespace });
  const watched = client.watch(resources.installation, { namespace, resourceVersion, signal, timeoutSeconds: 600 });
  for await (const event of watched) {
    if (event.type !== "MODIFIED") continue;
    const { metadata, status } = event.object;
    const job = status?.jobID;
    if (job === undefined || isJobOpen(status) || triggered.has(job) || !mayTrigger()) continue;
    triggered.add(job);
    await triggerJob(client, resources.installation, { namespace, name: metadata.name ?? "" }).catch(
      (error: unknown) => {
        if (!isNotFound(error)) throw error;
      },
    );
  }
}

/** Installations whose blueprints work until a limit ends them, again and again. All have their first job when this resolves. */
export async function startProcessorLimits(place: HostilePlace): Promise<HostileLoad> {
  const { environment, prefix } = place;
  const { client } = environment;
  const namespaces = Array.from({ length: hostileTenants }, (_, index) => `${prefix}-${index}`);
  const stopping = new AbortController();
  let jobs = 0;
  const mayTrigger = (): boolean => !stopping.signal.aborted && ++jobs <= maxJobs;
  const triggering: Promise<void>[] = [];
  for (const namespace of namespaces) {
    await createNamespace(environment, namespace);
    const values = dataObject("values", distinctValues);
    await client.create<KubeObject>(resources.dataObject, { ...values, metadata: { ...values.metadata, namespace } });
    const keeping = keepTriggering(place, namespace, { signal: stopping.signal, mayTrigger });
    triggering.push(keeping.catch(() => undefined)); // a watch that broke means less load, which the count of jobs shows
    for (const name of Object.keys(hungryBlueprints)) {
      const hungry = createHungry(name);
      jobs += 1;
      await client.create<KubeObject>(resources.installation, {
        ...hungry,
        metadata: { ...hungry.metadata, namespace },
      });
    }
  }
  return {
    describe: () =>
      `${Math.min(jobs, maxJobs)} jobs of ${namespaces.length * Object.keys(hungryBlueprints).length} Installations`,
    async stop() {
      stopping.abort();
      await Promise.all(triggering);
      for (const namespace of namespaces) await removeObjects(client, namespace, inFlight);
    },
  };
}
