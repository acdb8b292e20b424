import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { LandscaperError } from "@landscaper/api";
import { connectionOfContext } from "./connection-from-kubeconfig.ts";
import { environmentProxyField } from "./connection.ts";
import type { Connection } from "./connection.ts";
import type { Clock } from "../../controller-interface.ts";
import { errorCode, errorMessage } from "../../error-members.ts";
import { kubeconfigError, parseKubeconfig, selectContext } from "./kubeconfig.ts";
import type { SelectedContext } from "./kubeconfig.ts";
import { createSystemClock } from "../../system-clock.ts";

export interface LoadConnectionOptions {
  /** From a flag; wins over everything. */
  readonly kubeconfigPath?: string | undefined;
  readonly context?: string | undefined;
  /** Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Where Kubernetes mounts the credentials of a pod's ServiceAccount. */
  readonly serviceAccountDir?: string | undefined;
  readonly clock?: Pick<Clock, "elapsed"> | undefined;
}

/**
 * The connection of this process: the kubeconfig of the flag, else of KUBECONFIG, else the pod's ServiceAccount, else
 * ~/.kube/config. The operator's own kubeconfig may name files and exec plugins.
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env;
  const explicit = options.kubeconfigPath ?? firstPath(env["KUBECONFIG"]);
  if (explicit !== undefined) return loadKubeconfigFile(explicit, options.context);
  const inCluster = inClusterConnection(env, options);
  return inCluster ?? loadKubeconfigFile(join(env["HOME"] ?? homedir(), ".kube", "config"), options.context);
}

const defaultServiceAccountDir = "/var/run/secrets/kubernetes.io/serviceaccount";
/** The kubelet replaces the token long before it expires. */
const tokenCacheMs = 60_000;

function firstPath(list: string | undefined): string | undefined {
  return list?.split(":").find((path) => path !== "");
}

async function loadKubeconfigFile(path: string, context: string | undefined): Promise<Connection> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw kubeconfigError(
      `the file ${path} cannot be read (${errorCode(error) ?? "unreadable"})`,
      "name a kubeconfig by --kubeconfig or KUBECONFIG, or run in a pod with a ServiceAccount",
    );
  }
  try {
    const selected = selectContext(parseKubeconfig(text), context);
    const connection = connectionOfContext(selected, { allowFiles: true, baseDir: dirname(path), path });
    if (selected.user["auth-provider"] !== undefined) {
      throw kubeconfigError(`users[${selected.userName}].user.auth-provider is not supported`, "use an exec plugin");
    }
    const credentials = selected.user["exec"] === undefined ? {} : await runExecPlugin(selected);
    return { ...connection, ...credentials, kubeconfigPath: path };
  } catch (error) {
    throw nameFile(error, path);
  }
}

/** The error of a kubeconfig with the path of its file; other errors are returned unchanged. */
function nameFile(error: unknown, path: string): unknown {
  if (!(error instanceof LandscaperError) || error.reason !== "InvalidKubeconfig") return error;
  return error.with({ message: error.message.replace(/^kubeconfig: /, () => `kubeconfig ${path}: `) });
}

/** Runs the plugin once for certificates; tokens are asked of it again when they expire. */
async function runExecPlugin({ user, userName }: SelectedContext): Promise<Partial<Connection>> {
  // Loaded only here: all of client-node would cost most of the start-up time.
  const { ExecAuth } = await import("@kubernetes/client-node/dist/exec_auth.js");
  const auth = new ExecAuth();
  const run = async (): Promise<{ cert?: unknown; key?: unknown; headers?: Record<string, string> }> => {
    const credentials: { cert?: string; key?: string; headers: Record<string, string> } = { headers: {} };
    try {
      await auth.applyAuthentication({ name: userName, exec: user["exec"] }, credentials);
    } catch (error) {
      throw kubeconfigError(`users[${userName}].user.exec: the plugin failed: ${errorMessage(error).trim()}`);
    }
    return credentials;
  };
  const { cert, key } = await run();
  if (typeof cert === "string" && typeof key === "string") return { cert, key };
  return {
    getToken: async () => {
      const { headers } = await run();
      return (headers?.["Authorization"] ?? "").replace(/^Bearer /, "");
    },
  };
}

function inClusterConnection(
  env: Readonly<Record<string, string | undefined>>,
  options: LoadConnectionOptions,
): Connection | undefined {
  const dir = options.serviceAccountDir ?? defaultServiceAccountDir;
  const clock = options.clock ?? createSystemClock();
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"];
  if (host === undefined || host === "" || port === undefined) return undefined;
  let cached: { readonly token: string; readonly untilMs: number } | undefined;
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ca: readFileSync(join(dir, "ca.crt"), "utf8"),
    fields: {
      authority: "ca.crt of the pod's ServiceAccount",
      server: "KUBERNETES_SERVICE_HOST of the pod",
      address: "KUBERNETES_SERVICE_HOST of the pod",
      proxy: environmentProxyField,
    },
    getToken: () => {
      const elapsedMs = clock.elapsed();
      if (cached === undefined || cached.untilMs < elapsedMs) {
        cached = { token: readFileSync(join(dir, "token"), "utf8").trim(), untilMs: elapsedMs + tokenCacheMs };
      }
      return Promise.resolve(cached.token);
    },
  };
}
