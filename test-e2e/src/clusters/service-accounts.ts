import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kubeResources, serviceRightsFiles, type KubeObject, type RightsFile } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { parse } from "yaml";
import { rbacGroup, rbacType } from "./rbac-type.ts";
import { ensureObject, harnessNamespace, requestToken } from "./service-token.ts";
import { serviceNames, type ServiceName } from "../services/service-process.ts";

const root = join(import.meta.dirname, "../../..");

/** All ServiceAccounts of the harness's namespace, which has those of the services alone: what the audit log is kept of. */
export const servicesGroup = `system:serviceaccounts:${harnessNamespace}`;

/** A service's account: its name, and the name of its chart. */
export interface ServiceAccount {
  readonly name: string;
  readonly chart: string;
  /** Which files of rules it has; all of the chart by default. */
  readonly has?: (file: string) => boolean;
  /** Of an agent, whose rules name it. */
  readonly environment?: string;
  /** The release whose charts grant the rights. Default: this one. */
  readonly release?: { readonly name: string; readonly root: string };
  /** Of a cleanup, whose rules name the Deployment that it stops. */
  readonly deployment?: string;
}

/** An account with the rights of a core whose own cluster is another one than the landscaper cluster: those on its own cluster. */
export const coreHostAccount: ServiceAccount = {
  name: "landscaper-core-host",
  chart: "landscaper",
  has: (file) => file.startsWith("host-"),
};
/** The same core on the landscaper cluster. */
export const coreHubAccount: ServiceAccount = {
  name: "landscaper-core-hub",
  chart: "landscaper",
  has: (file) => file.startsWith("landscaper-"),
};

/** Charts grant the rules of the cleanup only while they are uninstalled. */
function isOfService(file: string): boolean {
  return !file.startsWith("cleanup-");
}

/** An account with the rights of a core that runs in the landscaper cluster. Excludes host-crds: landscaper-crds includes these rules. */
export function coreAccount(name: string): ServiceAccount {
  return { name, chart: "landscaper", has: (file) => isOfService(file) && file !== "host-crds" };
}

function accountOf(name: ServiceName): ServiceAccount {
  return name === "landscaper-core" ? coreAccount(name) : { name, chart: name, has: isOfService };
}

/** The four services, each for a cluster that is its own and the landscaper cluster. */
const serviceAccounts: readonly ServiceAccount[] = serviceNames.map(accountOf);

/** The file's name without folder and extension, such as "landscaper-cluster". */
function fileNameOf({ path }: RightsFile): string {
  return /([\w-]+)\.yaml$/.exec(path)?.[1] ?? path;
}

/** Separates the name of a role from the Environment in its rules, and from the release that they are of. */
const environmentSeparator = "@";

/** Name of the harness's role for a file, without an Environment. The audit log names the role that allowed a request. */
export function roleNameOf(file: RightsFile): string {
  return `${file.holder}.${fileNameOf(file)}`;
}

function filesOf({ chart, has = () => true }: ServiceAccount, scope: RightsFile["scope"]): readonly RightsFile[] {
  return serviceRightsFiles.filter((file) => file.holder === chart && file.scope === scope && has(fileNameOf(file)));
}

/** As a chart includes the file. */
function rulesOf({ path }: RightsFile, { environment = "", deployment = "", release }: ServiceAccount): unknown {
  const text = readFileSync(join(release?.root ?? root, path), "utf8");
  return parse(text.replaceAll("ENVIRONMENT", environment).replaceAll("DEPLOYMENT", deployment));
}

interface Grant {
  readonly file: RightsFile;
  readonly account: ServiceAccount;
  /** Undefined: in all. */
  readonly namespace?: string | undefined;
}

function objectsOf({ file, account, namespace }: Grant): readonly KubeObject[] {
  const prefix = namespace === undefined ? "Cluster" : "";
  const { environment, release } = account;
  // The rules of an agent name its Environment: agents do not share roles.
  const differences = [environment, release?.name].filter((each) => each !== undefined);
  const role = [roleNameOf(file), ...differences].join(environmentSeparator);
  const metadata = (name: string) => ({ name, ...(namespace === undefined ? {} : { namespace }) });
  const object = (kind: string, fields: object): KubeObject =>
    ({ apiVersion: `${rbacGroup}/v1`, kind, ...fields }) as KubeObject; // with metadata, as below
  return [
    object(`${prefix}Role`, { metadata: metadata(role), rules: rulesOf(file, account) }),
    object(`${prefix}RoleBinding`, {
      metadata: metadata(`${role}.${account.name}`),
      roleRef: { apiGroup: rbacGroup, kind: `${prefix}Role`, name: role },
      subjects: [{ kind: "ServiceAccount", name: account.name, namespace: harnessNamespace }],
    }),
  ];
}

async function grant(client: Client, grants: readonly Grant[]): Promise<void> {
  const objects = grants.flatMap(objectsOf);
  await Promise.all(objects.map(async (object) => ensureObject(client, rbacType(object.kind), object)));
  await Promise.all(
    grants
      .filter(({ namespace }) => namespace === undefined)
      .map(async (one) => waitFor(async () => isInForce(client, one))),
  );
}

/** The authorizer learns of Roles by a watch of its own: a service that is started before would wait. */
async function isInForce(client: Client, { file, account, namespace = "" }: Grant): Promise<boolean> {
  const [right] = file.rights;
  const [resource = "", subresource = ""] = right?.resources[0]?.split("/") ?? [];
  const answer = await client.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user: `system:serviceaccount:${harnessNamespace}:${account.name}`,
        resourceAttributes: {
          namespace,
          group: right?.group ?? "",
          resource,
          subresource,
          verb: right?.verbs[0] ?? "",
          name:
            right?.resourceNames?.[0]
              ?.replace("ENVIRONMENT", account.environment ?? "")
              .replace("DEPLOYMENT", account.deployment ?? "") ?? "",
        },
      },
    },
  });
  return Reflect.get(Object(Reflect.get(Object(answer), "status")), "allowed") === true;
}

/** Gives the accounts of all services what they may do in the namespace of their pods. */
export async function grantInNamespace(
  client: Client,
  namespace: string,
  accounts: readonly ServiceAccount[] = serviceAccounts,
): Promise<void> {
  await grant(
    client,
    accounts.flatMap((account) => filesOf(account, "namespace").map((file) => ({ file, account, namespace }))),
  );
}

/** Tokens of the services' accounts, by name: each has the rights that its chart grants, and no others. */
export async function createServiceAccounts(
  client: Client,
  accounts: readonly ServiceAccount[] = serviceAccounts,
): Promise<ReadonlyMap<string, string>> {
  await Promise.all(
    accounts.map(async ({ name }) =>
      ensureObject(client, kubeResources.serviceAccount, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name, namespace: harnessNamespace },
      }),
    ),
  );
  const [tokens] = await Promise.all([
    Promise.all(
      accounts.map(
        async ({ name }) => [name, await requestToken(client, { namespace: harnessNamespace, name })] as const,
      ),
    ),
    grant(
      client,
      accounts.flatMap((account) => filesOf(account, "cluster").map((file) => ({ file, account }))),
    ),
    grantInNamespace(client, harnessNamespace, accounts),
  ]);
  return new Map(tokens);
}
