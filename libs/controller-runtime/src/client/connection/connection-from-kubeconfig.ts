import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { atPlace, type EgressPolicy } from "@landscaper/egress";
import type { Connection, ConnectionFields } from "./connection.ts";
import { errorCode } from "../../error-members.ts";
import { isMap, kubeconfigError, parseKubeconfig, selectContext, textAt } from "./kubeconfig.ts";
import type { SelectedContext } from "./kubeconfig.ts";

export interface KubeconfigOptions {
  /** In place of current-context. */
  readonly context?: string | undefined;
  /**
   * Lets the kubeconfig name files (certificates, tokens), relative to `baseDir`. Only for kubeconfigs of the operator: one from a
   * user of the landscaper could read the files of our process.
   */
  readonly allowFiles?: boolean | undefined;
  readonly baseDir?: string | undefined;
  /** Path of the kubeconfig, for messages. */
  readonly path?: string | undefined;
  /** What the connection may reach. For kubeconfigs of users. */
  readonly egress?: EgressPolicy | undefined;
}

/**
 * The connection of a kubeconfig. Throws a LandscaperError (reason InvalidKubeconfig) for one that is broken or names exec or
 * auth plugins, or files without `allowFiles` (design.md §7), and EgressError for what `egress` denies.
 */
export function connectionFromKubeconfig(text: string, options: KubeconfigOptions = {}): Connection {
  const selected = selectContext(parseKubeconfig(text), options.context);
  for (const plugin of ["exec", "auth-provider"]) {
    if (selected.user[plugin] !== undefined) throw forbidden(`users[${selected.userName}].user.${plugin}`);
  }
  const connection = connectionOfContext(selected, options);
  const { egress } = options;
  return egress === undefined ? connection : restrictConnection(connection, { egress, selected });
}

/** Everything but plugins. */
export function connectionOfContext(selected: SelectedContext, options: KubeconfigOptions): Connection {
  const { cluster, user } = selected;
  const clusterPath = `clusters[${selected.clusterName}].cluster`;
  const userPath = `users[${selected.userName}].user`;
  const inCluster = { map: cluster, path: clusterPath, options };
  const inUser = { map: user, path: userPath, options };
  return {
    server: serverOf(cluster, clusterPath),
    ca: pemOf(inCluster, "certificate-authority"),
    insecureSkipTlsVerify: cluster["insecure-skip-tls-verify"] === true,
    tlsServerName: textAt(cluster, "tls-server-name", `${clusterPath}.tls-server-name`),
    proxyUrl: proxyOf(cluster, `${clusterPath}.proxy-url`),
    cert: pemOf(inUser, "client-certificate"),
    key: pemOf(inUser, "client-key"),
    ...tokenOf(inUser),
    username: textAt(user, "username", `${userPath}.username`),
    password: textAt(user, "password", `${userPath}.password`),
    headers: impersonationOf(user, userPath),
    fields: fieldsOf(inCluster),
  };
}

interface Section {
  readonly map: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly options: KubeconfigOptions;
}

function fieldsOf({ map, path, options }: Section): ConnectionFields {
  const hasFile = map["certificate-authority"] !== undefined && map["certificate-authority-data"] === undefined;
  const of = `of the kubeconfig${options.path === undefined ? "" : ` ${options.path}`}`;
  return {
    authority: `${path}.certificate-authority${hasFile ? "" : "-data"} ${of}`,
    server: `${path}.server or tls-server-name ${of}`,
    address: `${path}.server ${of}`,
    proxy: `${path}.proxy-url ${of}`,
  };
}

function serverOf(cluster: Readonly<Record<string, unknown>>, path: string): string {
  const server = textAt(cluster, "server", `${path}.server`);
  if (server === undefined) throw kubeconfigError(`${path}.server is missing`);
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw kubeconfigError(`${path}.server: expected an http or https URL such as https://api.example.org:6443`);
  }
  return server;
}

function proxyOf(cluster: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const proxy = textAt(cluster, "proxy-url", path);
  // The URL may hold a password.
  if (proxy !== undefined && !URL.canParse(proxy)) throw kubeconfigError(`${path}: expected a URL`);
  return proxy;
}

/** Refuses at once what needs no name resolution; the rest is judged when the connection is made. */
function restrictConnection(
  connection: Connection,
  { egress: policy, selected }: { egress: EgressPolicy; selected: SelectedContext },
): Connection {
  const { server, proxyUrl, insecureSkipTlsVerify } = connection;
  const path = `clusters[${selected.clusterName}].cluster`;
  if (insecureSkipTlsVerify === true && !policy.allowsInsecureSkipTLSVerify) {
    const hint = "set certificate-authority-data, or ask the operator for egress.allowInsecureSkipTLSVerify";
    throw kubeconfigError(`${path}.insecure-skip-tls-verify is not allowed`, hint);
  }
  if (proxyUrl !== undefined && !policy.allowsProxyURL) {
    throw kubeconfigError(`${path}.proxy-url is not allowed`, "ask the operator for egress.allowProxyURL");
  }
  const proxy = proxyUrl === undefined ? undefined : new URL(proxyUrl);
  if (proxy !== undefined && !/^https?:$/.test(proxy.protocol)) {
    throw kubeconfigError(`${path}.proxy-url: expected an http or https URL`);
  }
  const egress = {
    policy,
    serverField: `kubeconfig: ${path}.server`,
    proxyField: `kubeconfig: ${path}.proxy-url`,
  };
  atPlace(egress.serverField, () => policy.checkUrl(new URL(server), proxy === undefined ? "direct" : "proxied"));
  if (proxy !== undefined) atPlace(egress.proxyField, () => policy.checkUrl(proxy, "proxy"));
  return { ...connection, egress };
}

/** Inline base64 data wins over a file, as in kubectl; where files are not allowed, also one that would not be read is refused. */
function pemOf({ map, path, options }: Section, field: string): string | undefined {
  const file = fileAt({ map, path, options }, field);
  const data = textAt(map, `${field}-data`, `${path}.${field}-data`);
  if (data !== undefined) return pemText(data, `${path}.${field}-data`);
  return file === undefined ? undefined : readNamedFile(file, `${path}.${field}`, options);
}

/** Decodes a PEM text. Throws for other texts: Node.js ignores them, and its error would blame the certificate of the server. */
function pemText(base64: string, path: string): string {
  const text = Buffer.from(base64, "base64").toString("utf8");
  if (base64 === "" || text.includes("-----BEGIN ")) return text;
  throw kubeconfigError(`${path}: expected PEM in base64, found another text`, `correct ${path}`);
}

/** Returns a text that can be an HTTP header. Throws for other texts: the error of the HTTP client would not name the field. */
function headerText(text: string, path: string): string {
  if (!/[^\t\u0020-\u007e\u0080-\u00ff]/.test(text)) return text;
  throw kubeconfigError(
    `${path}: expected a text of one line, found line breaks or other characters that no HTTP header can have`,
    `correct ${path}, such as by removing the line break at its end`,
  );
}

function tokenOf({ map, path, options }: Section): Pick<Connection, "token" | "getToken"> {
  const file = fileAt({ map, path, options }, "tokenFile");
  const token = textAt(map, "token", `${path}.token`);
  if (token !== undefined) return { token: headerText(token, `${path}.token`) };
  if (file === undefined) return {};
  readNamedFile(file, `${path}.tokenFile`, options);
  return { getToken: () => Promise.resolve(readNamedFile(file, `${path}.tokenFile`, options).trim()) };
}

function fileAt({ map, path, options }: Section, field: string): string | undefined {
  const file = textAt(map, field, `${path}.${field}`);
  if (file !== undefined && options.allowFiles !== true)
    throw forbidden(`${path}.${field}`, field === "tokenFile" ? "token" : `${field}-data`);
  return file;
}

function readNamedFile(file: string, path: string, options: KubeconfigOptions): string {
  try {
    return readFileSync(resolve(options.baseDir ?? ".", file), "utf8");
  } catch (error) {
    throw kubeconfigError(`${path}: the file ${file} cannot be read (${errorCode(error) ?? "unreadable"})`);
  }
}

/** `instead` is the field for the content of the file, if there is one. */
function forbidden(path: string, instead?: string): Error {
  const hint = `put certificates and tokens into the kubeconfig itself${instead === undefined ? "" : `, as ${instead}`}`;
  return kubeconfigError(`${path} is not allowed`, hint);
}

function impersonationOf(user: Readonly<Record<string, unknown>>, path: string): Record<string, string> {
  const name = textAt(user, "as", `${path}.as`);
  const groups = user["as-groups"];
  if (groups !== undefined || isMap(user["as-user-extra"])) {
    throw kubeconfigError(`${path}.as-groups and ${path}.as-user-extra are not supported`);
  }
  return name === undefined ? {} : { "impersonate-user": name };
}
