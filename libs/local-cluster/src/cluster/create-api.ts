import { randomInt, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { UnstructuredObject } from "@landscaper/api";
import { WebhookAdmission } from "../admission/webhooks/webhook-admission.ts";
import { WebhookRuns } from "../admission/webhooks/webhook-runs.ts";
import { RbacAuthorizer } from "../auth/rbac-authorizer.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import { alwaysAllow } from "../auth/authorizer.ts";
import { denied } from "../auth/deny.ts";
import { impersonate } from "../auth/impersonate.ts";
import { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { withSelectedName } from "../auth/with-selected-name.ts";
import type { StaticTokens } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import type { Answer, StreamAnswer } from "../http/answer.ts";
import { textAnswer } from "../http/answer.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { DiscoveryHandler } from "../http/discovery-handler.ts";
import { OpenApiHandler } from "../http/openapi-handler.ts";
import type { ResourceHandling } from "../http/resource-handler.ts";
import { handleResource } from "../http/resource-handler.ts";
import { createReviewHandlers } from "../http/review-handlers.ts";
import { createScaleHandler } from "../http/scale-handler.ts";
import { createTokenRequestHandler } from "../http/token-request-handler.ts";
import { WorkLoop } from "../controllers/work-loop.ts";
import { builtinResources } from "../resources/builtin-resources.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { ResourceRegistry } from "../resources/resource-registry.ts";
import { ListSnapshots } from "../rest/list-objects.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { createLogHandler, withPodLogs } from "../simulation/pod/log-handler.ts";
import type { SimulationOptions } from "../simulation/simulation-options.ts";
import { startSimulation } from "../simulation/start-simulation.ts";
import { internalError, invalid } from "../status/status-error.ts";
import { Store } from "../storage/store.ts";
import type { ClusterClock, LocalClusterOptions } from "./local-cluster.ts";
import { createAdmission } from "./create-admission.ts";
import { ServiceAddresses } from "./service-addresses.ts";
import { startControllers } from "./start-controllers.ts";
import { unauthorized } from "./unauthorized.ts";

export interface ApiOptions {
  readonly clock: ClusterClock;
  readonly tokens: StaticTokens;
  readonly caPem: string;
  readonly authorization: "always-allow" | "rbac";
  readonly onRefusal: LocalClusterOptions["onRefusal"];
  /** Absent: workloads are objects and nothing more. */
  readonly simulateWorkloads?: SimulationOptions | undefined;
}

/** The API without its transport. */
export interface Api {
  readonly context: RestContext & { readonly snapshots: ListSnapshots };
  /** Throws, or rejects with, StatusError. A promise while webhooks are asked. */
  handle(request: ApiRequest): Answer | StreamAnswer | Promise<Answer | StreamAnswer>;
  authenticate(token: string): User | undefined;
  /** Throws StatusError. */
  impersonate(user: User, headers: IncomingHttpHeaders): User;
  /** "host:port" for discovery. */
  setAddress(address: string): void;
  stop(): void;
}

export function createApi(options: ApiOptions): Api {
  const { clock, tokens: staticTokens, caPem, authorization, simulateWorkloads } = options;
  const runs = new WebhookRuns();
  const { context, webhooks } = createContext(
    clock,
    simulateWorkloads === undefined ? builtinResources : withPodLogs(builtinResources),
    runs,
  );
  const tokens = new ServiceAccountTokens(context.store, () => clock.now());
  const authorizer = authorization === "rbac" ? new RbacAuthorizer(context.store) : alwaysAllow;
  const authenticate = (token: string): User | undefined => staticTokens.check(token) ?? tokens.check(token);
  let address = "";
  const discovery = new DiscoveryHandler(context.resources, () => address);
  const openApi = new OpenApiHandler(context.resources);
  const loop = new WorkLoop();
  startControllers(context, loop, { tokens, caPem });
  const simulation = simulateWorkloads && startSimulation({ context, loop, clock }, simulateWorkloads);
  const handling: ResourceHandling = {
    context,
    schedule: (ms, callback) => clock.schedule(ms, callback),
    subresources: new Map([
      ["serviceaccounts/token", createTokenRequestHandler(context, tokens)],
      ["*/scale", createScaleHandler(context)],
      ...(simulation === undefined ? [] : [["pods/log", createLogHandler(context, simulation.kubelet)] as const]),
    ]),
    reviews: createReviewHandlers({ authorizer, tokens, authenticate, now: () => clock.now() }),
  };
  const handleNow = (request: ApiRequest): Answer | StreamAnswer => {
    authorize(authorizer, request, options.onRefusal);
    const { info } = request;
    if (info.type === "resource" && discovery.hasGroup(info.group)) return handleResource(handling, request, info);
    return discovery.handle(request) ?? openApi.handle(request) ?? textAnswer("404 page not found\n", 404);
  };
  return {
    context,
    handle: (request) =>
      webhooks.isEmpty || ["GET", "HEAD"].includes(request.method)
        ? handleNow(request)
        : runs.repeat(() => handleNow(request)),
    authenticate,
    impersonate: (user, headers) => impersonate(authorizer, user, headers),
    setAddress: (value) => {
      address = value;
    },
    stop: () => {
      simulation?.stop();
      loop.stop();
    },
  };
}

const publicPaths: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz", "/version"]);

function authorize(
  authorizer: Authorizer,
  { user, info: asked, path, query }: ApiRequest,
  onRefusal: ApiOptions["onRefusal"] = () => {},
): void {
  if (publicPaths.has(path)) return;
  if (user.groups.includes("system:unauthenticated")) throw unauthorized();
  const info = withSelectedName(asked, query);
  if (authorizer.isAllowed(user, info)) return;
  if (info.type === "path")
    onRefusal({ user: user.name, verb: info.verb, group: "", resource: info.path, namespace: "" });
  else {
    const { verb, group, resource, subresource, namespace } = info;
    const named = subresource === "" ? resource : `${resource}/${subresource}`;
    onRefusal({ user: user.name, verb, group, resource: named, namespace });
  }
  throw denied(user, info);
}

/** Characters of generated names; no vowels, so that no words come out. */
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

function createContext(
  clock: ClusterClock,
  resources: readonly ResourceDefinition[],
  runs: WebhookRuns,
): { readonly context: Api["context"]; readonly webhooks: WebhookAdmission } {
  const store = new Store();
  const webhooks = new WebhookAdmission(store, runs);
  const newSuffix = (): string =>
    Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join("");
  const addresses = new ServiceAddresses(store);
  const context = {
    store,
    resources: new ResourceRegistry(resources),
    snapshots: new ListSnapshots(),
    now: () => clock.now(),
    newUid: () => runs.sameValue("uid", randomUUID),
    newNameSuffix: () => runs.sameValue("suffix", newSuffix),
    mutate: (definition: ResourceDefinition, object: UnstructuredObject, old?: UnstructuredObject) => {
      if (definition.storage !== "services") return object;
      const allocation = addresses.allocate(object, old);
      if ("errors" in allocation) throw invalid(definition, object.metadata.name ?? "", allocation.errors);
      if ("failure" in allocation) throw internalError(allocation.failure);
      return allocation.service;
    },
    ...createAdmission(store, webhooks),
  };
  return { context, webhooks };
}
