import { randomInt, randomUUID } from "node:crypto";
import type { StaticTokens } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import { controllerUser } from "../auth/user.ts";
import { startCrdController } from "../controllers/crd-controller.ts";
import { startNamespaceController } from "../controllers/namespace-controller.ts";
import { builtin, systemTarget } from "../controllers/system-writes.ts";
import { WorkLoop } from "../controllers/work-loop.ts";
import type { Answer, StreamAnswer } from "../http/answer.ts";
import { textAnswer } from "../http/answer.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { DiscoveryHandler } from "../http/discovery-handler.ts";
import { handleResource } from "../http/resource-handler.ts";
import type { SubresourceHandler } from "../http/resource-handler.ts";
import type { Schedule } from "../http/serve-watch.ts";
import { builtinResources } from "../resources/builtin-resources.ts";
import { ResourceRegistry } from "../resources/resource-registry.ts";
import { createObject } from "../rest/create-object.ts";
import { ListSnapshots } from "../rest/list-objects.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { systemWrite } from "../rest/rest-context.ts";
import { Store } from "../storage/store.ts";
import type { ClusterClock } from "./local-cluster.ts";
import { unauthorized } from "./unauthorized.ts";

export interface ApiOptions {
  readonly clock: ClusterClock;
  readonly tokens: StaticTokens;
  readonly caPem: string;
  readonly authorization: "always-allow" | "rbac";
}

/** The API without its transport. */
export interface Api {
  readonly context: RestContext & { readonly snapshots: ListSnapshots };
  /** Throws StatusError. */
  handle(request: ApiRequest): Answer | StreamAnswer;
  authenticate(token: string): User | undefined;
  /** "host:port" for discovery. */
  setAddress(address: string): void;
  stop(): void;
}

export function createApi({ clock, tokens, caPem }: ApiOptions): Api {
  const context = createContext(clock);
  const loop = new WorkLoop();
  const schedule: Schedule = (ms, callback) => clock.schedule(ms, callback);
  let address = "";
  const discovery = new DiscoveryHandler(context.resources, () => address);
  const subresources = new Map<string, SubresourceHandler>();
  startNamespaceController(context, loop, { caPem });
  startCrdController(context, loop, { compile: () => ({ strategy: {}, columns: [] }) });
  createNamespaces(context);
  return {
    context,
    handle: (request) => {
      if (request.user.groups.includes("system:unauthenticated") && !isPublic(request.path)) throw unauthorized();
      const { info } = request;
      if (info.type === "resource") {
        return handleResource({ context, schedule, subresources }, request, info);
      }
      return discovery.handle(request) ?? textAnswer("404 page not found\n", 404);
    },
    authenticate: (token) => tokens.check(token),
    setAddress: (value) => {
      address = value;
    },
    stop: () => loop.stop(),
  };
}

function isPublic(path: string): boolean {
  return ["/healthz", "/livez", "/readyz", "/version"].includes(path);
}

/** Characters of generated names; no vowels, so that no words come out. */
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

function createContext(clock: ClusterClock): Api["context"] {
  return {
    store: new Store(),
    resources: new ResourceRegistry(builtinResources),
    snapshots: new ListSnapshots(),
    now: () => clock.now(),
    newUid: () => randomUUID(),
    newNameSuffix: () => Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join(""),
    mutate: (_definition, object) => object,
    admit: () => [],
  };
}

function createNamespaces(context: RestContext): void {
  const definition = builtin(context, "v1", "namespaces");
  for (const name of ["default", "kube-node-lease", "kube-public", "kube-system"]) {
    createObject(
      context,
      { ...systemTarget(definition, { name: "" }), user: controllerUser },
      { body: { metadata: { name } }, options: systemWrite },
    );
  }
}
