import {
  didYouMean,
  findNearestName,
  kubernetesClusterTargetType,
  type LandscaperError,
  qualifyType,
  quoteText,
  type Target,
} from "@landscaper/api";
import { isJsonObject } from "@landscaper/resources";
import { parseHostSecret, type HostSecretRef } from "./host-secret.ts";
import { placeOfSecret, targetError } from "./target-content.ts";

/** How the content of a Target gives access to a cluster (deployers.md §2.6). Never log it. */
export type ClusterAccess =
  /** `isOwn`: of an operator, not of a user. */
  | { readonly type: "kubeconfig"; readonly text: string; readonly isOwn?: true }
  /** The kubeconfig is on the cluster that the deployer runs in. */
  | { readonly type: "hostSecret"; readonly ref: HostSecretRef }
  | {
      readonly type: "oidc";
      readonly server: string;
      /** PEM. */
      readonly ca: string;
      readonly account: TokenAccount;
    }
  | { readonly type: "self"; readonly account: TokenAccount };

/** A ServiceAccount of the Target's namespace, whose tokens open the cluster. */
export interface TokenAccount {
  readonly namespace: string;
  readonly name: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
}

const accessFields = ["kubeconfig", "oidcConfig", "selfConfig"];
/** A kubeconfig has at least one of these fields. */
const kubeconfigFields = ["contexts", "clusters", "users", "current-context"];

const defaultExpirationSeconds = 86_400;

/**
 * kubeconfig before oidcConfig before selfConfig; content with none of the three is itself the kubeconfig. Throws LandscaperError
 * naming the field, never a value.
 */
export function parseClusterAccess(target: Target, content: unknown): ClusterAccess {
  const type = qualifyType(target.spec.type);
  if (type !== kubernetesClusterTargetType) {
    throw targetError(target, `spec.type: expected ${kubernetesClusterTargetType}, found ${type}`);
  }
  if (typeof content === "string") return { type: "kubeconfig", text: content };
  if (!isJsonObject(content)) {
    throw contentError(target, "expected an object or a kubeconfig, found neither");
  }
  const { kubeconfig, oidcConfig, selfConfig } = content;
  if (isGiven(kubeconfig)) return parseKubeconfig(target, kubeconfig);
  if (isGiven(oidcConfig)) return parseOidc(target, oidcConfig);
  if (isGiven(selfConfig)) return { type: "self", account: parseAccount(target, "selfConfig", selfConfig) };
  if ("kubeconfig" in content || "oidcConfig" in content || "selfConfig" in content) {
    throw contentError(target, "one of kubeconfig, oidcConfig and selfConfig must have a value");
  }
  if (kubeconfigFields.some((field) => field in content)) return { type: "kubeconfig", text: JSON.stringify(content) };
  const misspelt = Object.keys(content).find((field) => findNearestName(field, accessFields) !== undefined);
  if (misspelt === undefined) throw accessMissing(target);
  const nearest = findNearestName(misspelt, accessFields);
  throw contentError(target, `unknown field ${quoteText(misspelt)}${didYouMean(nearest, ",")}`);
}

/** An error of the access data: it names their Secret, too. */
function contentError(target: Target, problem: string): LandscaperError {
  return targetError(target, `${placeOfSecret(target)}${problem}`);
}

/** The error of an object without any field of a Target's content or of a kubeconfig. */
function accessMissing(target: Target): LandscaperError {
  const { secretRef } = target.spec;
  const isWholeSecret = secretRef !== undefined && (secretRef.key ?? "") === "";
  const fields = "kubeconfig, oidcConfig or selfConfig";
  return contentError(
    target,
    isWholeSecret
      ? `expected a key ${fields}, found none of them`
      : `expected ${fields}, or the fields of a kubeconfig, found none of them`,
  ).with({
    hint: isWholeSecret
      ? "rename the key with the kubeconfig to kubeconfig, or set spec.secretRef.key of the Target to its name"
      : "add kubeconfig with the text of a kubeconfig",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

function parseKubeconfig(target: Target, kubeconfig: unknown): ClusterAccess {
  if (typeof kubeconfig === "string") return { type: "kubeconfig", text: kubeconfig };
  if (!isJsonObject(kubeconfig)) throw contentError(target, "kubeconfig: expected a string or an object");
  const ref = parseHostSecret(target, kubeconfig);
  return ref === undefined ? { type: "kubeconfig", text: JSON.stringify(kubeconfig) } : { type: "hostSecret", ref };
}

function parseOidc(target: Target, oidc: unknown): ClusterAccess {
  const config = isJsonObject(oidc) ? oidc : {};
  const { server, caData } = config;
  if (typeof server !== "string" || server === "") throw missing(target, "oidcConfig.server");
  // A token must not go over the network in plain text.
  if (URL.parse(server)?.protocol !== "https:") {
    throw contentError(target, "oidcConfig.server: expected an https URL");
  }
  if (typeof caData !== "string" || caData === "") throw missing(target, "oidcConfig.caData");
  const audiences = config["audience"];
  const account = parseAccount(target, "oidcConfig", config);
  const texts = Array.isArray(audiences) ? audiences.filter((audience) => typeof audience === "string") : [];
  return {
    type: "oidc",
    server,
    ca: Buffer.from(caData, "base64").toString("utf8"),
    account: { ...account, audiences: texts },
  };
}

function parseAccount(target: Target, field: string, value: unknown): TokenAccount {
  const config = isJsonObject(value) ? value : {};
  const account = config["serviceAccount"];
  const name = isJsonObject(account) ? account["name"] : undefined;
  if (typeof name !== "string" || name === "") throw missing(target, `${field}.serviceAccount.name`);
  const seconds = config["expirationSeconds"];
  return {
    namespace: target.metadata.namespace ?? "",
    name,
    audiences: [],
    expirationSeconds: typeof seconds === "number" ? seconds : defaultExpirationSeconds,
  };
}

function missing(target: Target, field: string): LandscaperError {
  return contentError(target, `${field} is missing`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
