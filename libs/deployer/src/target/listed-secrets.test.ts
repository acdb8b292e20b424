import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources } from "@landscaper/api";
import { ApiError, connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { explainSecretRefusals } from "./listed-secrets.ts";

const role = { namespace: "ls-system", name: "landscaper:agent:secrets:edge" };
const key = (name: string) => ({ namespace: "ls-system", name });

describe("a client whose Secrets a Role lists", () => {
  let cluster: EmbeddedCluster;
  let limited: Client;
  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ crds: true, authorization: "rbac" });
    await cluster.createNamespace("ls-system");
    const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: role };
    const rules = [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["listed"], verbs: ["get"] }];
    await cluster.client.create(kubeResources.role, { ...rbac, kind: "Role", rules });
    await cluster.client.create(kubeResources.roleBinding, {
      ...rbac,
      kind: "RoleBinding",
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role.name },
      subjects: [{ kind: "User", name: "agent" }],
    });
    const kubeconfig = cluster.server.kubeconfigFor({ name: "agent" });
    limited = createClient({ connection: connectionFromKubeconfig(kubeconfig) });
  });
  afterAll(async () => {
    await limited.close();
    await cluster.stop();
  });

  it("reads Secrets that the Role lists, and misses those that do not exist", async () => {
    const client = explainSecretRefusals(limited, role);
    expect(await client.find(kubeResources.secret, key("listed"))).toBeUndefined();
    await cluster.client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata: key("listed") });
    expect((await client.get(kubeResources.secret, key("listed"))).metadata.name).toBe("listed");
  });

  it.each(["find", "get"] as const)(
    "names a refused Secret and the Role for %s, and lets the job retry",
    async (read) => {
      const client = explainSecretRefusals(limited, role);
      const error: unknown = await client[read](kubeResources.secret, key("foreign")).catch(
        (caught: unknown) => caught,
      );
      expect(error).toBeInstanceOf(LandscaperError);
      expect(error).toMatchObject({
        message: "Secret ls-system/foreign cannot be read: the API server refuses it to this agent",
        reason: "AgentSecretRefused",
        hint: "the core lists the Secrets that this agent may read in Role ls-system/landscaper:agent:secrets:edge. If the Role does not list this Secret, check that the core is not of an earlier release than the agent, and that the DeployItem, its Context or its Target names the Secret. If the Role lists it, bind the account of the agent to the Role",
        codes: [],
      });
      expect(error).not.toMatchObject({ retry: "never" });
    },
  );

  it("leaves refusals of other kinds as they are", async () => {
    const reading = explainSecretRefusals(limited, role).find(resources.target, key("edge"));
    await expect(reading).rejects.toBeInstanceOf(ApiError);
  });
});
