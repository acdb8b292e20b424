import { basename } from "node:path";
import { agentNames, serviceRightsFiles, type Right, type RightsFile } from "@landscaper/api";
import { rulesOf } from "../src/clusters/limited-account.ts";
import { rbacGroup as apiGroup } from "../src/clusters/rbac-type.ts";

/** Namespace of deployer management, and of the deployers' Leases. */
const management = "ls-system";
const coreNamespace = "landscaper-system";
/** Rights that nobody needs where core and objects are on one cluster and no other one watches the services. */
const unused: ReadonlySet<string> = new Set(["host-crds", "host-health-check"]);

/** Of the agent of the profile: its rights name it. */
const environment = "default";

/** The users of the services, by the chart whose rights they have. */
const users: Readonly<Record<string, string>> = { landscaper: "landscaper-core" };
const rbac = { apiVersion: `${apiGroup}/v1` };

function ofEnvironment(right: Right): Right {
  if (right.resourceNames === undefined) return right;
  return { ...right, resourceNames: right.resourceNames.map((name) => name.replaceAll("ENVIRONMENT", environment)) };
}

function roleAndBinding({ path, scope, holder, rights }: RightsFile): object[] {
  const namespace = holder === "landscaper" ? coreNamespace : management;
  const kind = scope === "cluster" ? "ClusterRole" : "Role";
  const metadata = {
    name: `landscaper:${holder}:${basename(path, ".yaml")}`,
    ...(scope === "cluster" ? {} : { namespace }),
  };
  const subjects = [{ apiGroup, kind: "User", name: users[holder] ?? holder }];
  return [
    { ...rbac, kind, metadata, rules: rulesOf(rights.map(ofEnvironment)) },
    { ...rbac, kind: `${kind}Binding`, metadata, roleRef: { apiGroup, kind, name: metadata.name }, subjects },
  ];
}

/** The core keeps the Role, which lists the Secrets that the agent reads. */
function secretsBinding(): object {
  const { secretsRole: name } = agentNames(environment);
  return {
    ...rbac,
    kind: "RoleBinding",
    metadata: { name: "landscaper:landscaper-agent:secrets", namespace: management },
    roleRef: { apiGroup, kind: "Role", name },
    subjects: [{ apiGroup, kind: "User", name: "landscaper-agent" }],
  };
}

/** What has to be in the cluster before the services work: their namespaces, and for each user the rights that its chart would give. */
export function setupObjects(): readonly object[] {
  const files = serviceRightsFiles.filter(({ path }) => !unused.has(basename(path, ".yaml")));
  const namespaces = [management, coreNamespace].map((name) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name },
  }));
  return [...namespaces, ...files.flatMap(roleAndBinding), secretsBinding()];
}
