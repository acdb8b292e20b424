// For tests: a target cluster whose watches are played by the test.
import type { KubeObject, ResourceType } from "@landscaper/api";
import { ApiError, type Client, type WatchEvent, type WatchOptions } from "@landscaper/controller-runtime";
import type { TargetCluster } from "@landscaper/resources";

/** A watch that the server has accepted. */
export interface PlayedWatch {
  /** "Pod in n" or "Pod everywhere". */
  readonly of: string;
  readonly isMetadataOnly: boolean;
  tell(
    object: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> },
    event?: "MODIFIED" | "DELETED",
  ): void;
  /** Ends it; the next one goes on where it was. */
  break(error?: Error): void;
}

export interface PlayedCluster {
  readonly cluster: TargetCluster;
  /** In work, in the order in which they were accepted. */
  readonly open: PlayedWatch[];
  /** "list Pod in n", "watch Pod everywhere" ...: all that was asked. */
  readonly requests: string[];
  /** What the server says to a request instead of its work. */
  refuse: (request: string) => Error | undefined;
}

const find: TargetCluster["discovery"]["find"] = (apiVersion, kind) =>
  Promise.resolve(kind === "Unknown" ? undefined : typeOf(apiVersion, kind));

/** Kinds that begin with "Cluster" have no namespaces, "Unknown" is not served. */
export function playCluster(): PlayedCluster {
  const open: PlayedWatch[] = [];
  const requests: string[] = [];
  const played: PlayedCluster = {
    open,
    requests,
    refuse: () => undefined,
    cluster: {
      client: { list, watch } as Partial<Client> as Client, // All that watches use.
      discovery: { find, locate: find, suggest: async () => await Promise.resolve(undefined), forget: () => {} },
    },
  };
  function ask(verb: string, type: ResourceType, namespace: string | undefined): string {
    const of = `${type.kind} ${namespace === undefined ? "everywhere" : `in ${namespace}`}`;
    requests.push(`${verb} ${of}`);
    const refusal = played.refuse(`${verb} ${of}`);
    if (refusal !== undefined) throw refusal;
    return of;
  }
  async function list(type: ResourceType, options: { namespace?: string } = {}) {
    ask("list", type, options.namespace);
    return await Promise.resolve({ resourceVersion: "1", items: [] });
  }
  async function* watch(type: ResourceType, options: WatchOptions): AsyncGenerator<WatchEvent<KubeObject>> {
    const { namespace, signal, metadataOnly, onOpen } = options;
    const of = ask("watch", type, namespace);
    const events: WatchEvent<KubeObject>[] = [];
    let failure: Error | undefined;
    let wake = (): void => {};
    const played: PlayedWatch = {
      of,
      isMetadataOnly: metadataOnly === true,
      tell: (metadata, event = "MODIFIED") => {
        events.push({ type: event, object: { apiVersion: "v1", kind: type.kind, metadata } });
        wake();
      },
      break: (error = new Error("cut")) => {
        failure = error;
        wake();
      },
    };
    open.push(played);
    onOpen?.();
    signal?.addEventListener("abort", () => played.break(), { once: true });
    try {
      for (;;) {
        for (let event = events.shift(); event !== undefined; event = events.shift()) yield event;
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      open.splice(open.indexOf(played), 1);
    }
  }
  return played;
}

function typeOf(apiVersion: string, kind: string): ResourceType<never> {
  const plural = `${kind.toLowerCase()}s`;
  return { group: "", version: apiVersion, kind, plural, namespaced: !kind.startsWith("Cluster") };
}

export function refusal(status: number): ApiError {
  return new ApiError({ method: "GET", path: "/" }, { status, statusObject: {} });
}
