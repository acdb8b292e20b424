import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import type { LocalCluster, Refusal } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, stringAt } from "../objects/json.ts";
import { sendRequest, type TestApi, createTestApi, createTestApiFor } from "@landscaper/testkit";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";

describe("authorization by RBAC", () => {
  let cluster: LocalCluster;
  let admin: TestApi;
  const refusals: Refusal[] = [];
  const login = (name: string, groups: readonly string[] = []): TestApi => {
    const config = parse(cluster.kubeconfigFor({ name, groups })) as { users: [{ user: { token: string } }] };
    return createTestApiFor({ url: cluster.url, caPem: cluster.caPem, token: config.users[0].user.token });
  };
  beforeAll(async () => {
    cluster = await startLocalCluster({ authorization: "rbac", onRefusal: (refusal) => refusals.push(refusal) });
    admin = createTestApi(cluster);
    await admin.post(`${rbac}/namespaces/default/roles`, {
      metadata: { name: "reader" },
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }],
    });
    await admin.post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: "readers" },
      roleRef: { apiGroup, kind: "Role", name: "reader" },
      subjects: [
        { kind: "User", name: "jo", apiGroup },
        { kind: "Group", name: "devs", apiGroup },
        { kind: "ServiceAccount", name: "bot", namespace: "default" },
      ],
    });
  });
  afterAll(() => cluster.stop());

  it("lets users, groups and service accounts do what their bindings say", async () => {
    await admin.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "bot" } });
    const { body } = await admin.post("/api/v1/namespaces/default/serviceaccounts/bot/token", {});
    const bot = createTestApiFor({ url: cluster.url, caPem: cluster.caPem, token: stringAt(body, "status", "token") });
    const codes = [];
    for (const api of [login("jo"), login("x", ["devs"]), bot, login("x")]) {
      codes.push((await api.get("/api/v1/namespaces/default/configmaps")).code);
    }
    expect(codes).toEqual([200, 200, 200, 403]);
  });

  it("follows each change of bindings and roles at once, also of the last binding of a namespace", async () => {
    const api = login("eve");
    const codeOf = async (): Promise<number> => (await api.get("/api/v1/namespaces/changing/configmaps")).code;
    const binding = (name: string): object => ({
      metadata: { name: "binding" },
      roleRef: { apiGroup, kind: "Role", name: "role" },
      subjects: [{ kind: "User", name, apiGroup }],
    });
    const roles = `${rbac}/namespaces/changing/roles`;
    const bindings = `${rbac}/namespaces/changing/rolebindings`;
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }];
    await admin.post("/api/v1/namespaces", { metadata: { name: "changing" } });
    const codes = [await codeOf()];
    for (const change of [
      () => admin.post(bindings, binding("eve")),
      () => admin.post(roles, { metadata: { name: "role" }, rules }),
      () => admin.put(`${bindings}/binding`, binding("other")),
      () => admin.put(`${bindings}/binding`, binding("eve")),
      () => admin.delete(`${bindings}/binding`),
      () => admin.post(bindings, binding("eve")),
      () => admin.put(`${roles}/role`, { metadata: { name: "role" }, rules: [] }),
    ]) {
      expect((await change()).code).toBeLessThan(300);
      codes.push(await codeOf());
    }
    expect(codes).toEqual([403, 403, 200, 403, 200, 403, 200, 403]);
  });

  it("lets a rule with names list and watch what a field selector restricts to one of them", async () => {
    await admin.post(`${rbac}/namespaces/default/roles`, {
      metadata: { name: "one" },
      rules: [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["own"], verbs: ["list", "watch"] }],
    });
    await admin.post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: "one" },
      roleRef: { apiGroup, kind: "Role", name: "one" },
      subjects: [{ kind: "User", name: "ann", apiGroup }],
    });
    const ann = login("ann");
    const list = async (query: string): Promise<string> => {
      const { code, body } = await ann.get(`/api/v1/namespaces/default/secrets${query}`);
      return code === 200 ? "200" : stringAt(body, "message");
    };
    const forbidden =
      'is forbidden: User "ann" cannot list resource "secrets" in API group "" in the namespace "default"';
    expect(await list("?fieldSelector=metadata.name%3Down")).toBe("200");
    expect(await list("?fieldSelector=type%3DOpaque,metadata.name%3D%3Down")).toBe("200");
    expect(await list("?fieldSelector=metadata.name%3Dother")).toBe(`secrets "other" ${forbidden}`);
    expect(await list("")).toBe(`secrets ${forbidden}`);
    expect(await list("?fieldSelector=metadata.name%21%3Down")).toBe(`secrets ${forbidden}`);
  });

  it("does not reach into other namespaces or verbs", async () => {
    const jo = login("jo");
    const elsewhere = await jo.get("/api/v1/namespaces/kube-system/configmaps");
    expect(elsewhere.body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message:
        'configmaps is forbidden: User "jo" cannot list resource "configmaps" in API group "" in the namespace "kube-system"',
      reason: "Forbidden",
      details: { kind: "configmaps" },
      code: 403,
    });
    refusals.length = 0;
    const messages = [
      await jo.delete("/api/v1/namespaces/default/configmaps/x"),
      await jo.get("/apis/apps/v1/deployments"),
      await jo.patch("/apis/apps/v1/namespaces/default/deployments/d/status", {}),
      await jo.get("/metrics"),
    ].map(({ body }) => stringAt(body, "message"));
    expect(messages).toEqual([
      'configmaps "x" is forbidden: User "jo" cannot delete resource "configmaps" in API group "" in the namespace "default"',
      'deployments.apps is forbidden: User "jo" cannot list resource "deployments" in API group "apps" at the cluster scope',
      'deployments.apps "d" is forbidden: User "jo" cannot patch resource "deployments/status" in API group "apps" in the namespace ' +
        '"default"',
      'forbidden: User "jo" cannot get path "/metrics"',
    ]);
    // The owner of the cluster hears the same.
    expect(
      refusals.map(({ user, verb, group, resource, namespace }) => [user, verb, group, resource, namespace]),
    ).toEqual([
      ["jo", "delete", "", "configmaps", "default"],
      ["jo", "list", "apps", "deployments", ""],
      ["jo", "patch", "apps", "deployments/status", "default"],
      ["jo", "get", "", "/metrics", ""],
    ]);
  });

  it("lets everybody who is authenticated discover and ask about themselves", async () => {
    const nobody = login("nobody");
    const review = await nobody.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb: "get", resource: "secrets", namespace: "default" } },
    });
    expect([(await nobody.get("/apis")).code, review.code, fieldAt(review.body, "status", "allowed")]).toEqual([
      200,
      201,
      false,
    ]);
  });

  it("answers about others to those who may ask", async () => {
    const ask = async (api: TestApi) =>
      api.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        spec: { user: "jo", resourceAttributes: { verb: "get", resource: "configmaps", namespace: "default" } },
      });
    expect(fieldAt((await ask(admin)).body, "status")).toEqual({ allowed: true });
    expect((await ask(login("jo"))).code).toBe(403);
  });

  it("lists the rules of a user", async () => {
    const { body } = await login("jo").post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
      spec: { namespace: "default" },
    });
    expect(fieldAt(body, "status", "resourceRules")).toContainEqual({
      verbs: ["get", "list", "watch"],
      apiGroups: [""],
      resources: ["configmaps"],
    });
  });

  it("lets a cluster role work in one namespace or in all", async () => {
    const bind = (kind: string, at: string, name: string) =>
      admin.post(`${rbac}${at}`, {
        metadata: { name: `${name}-${kind}` },
        roleRef: { apiGroup, kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "User", name, apiGroup }],
      });
    await bind("one", "/namespaces/default/rolebindings", "one");
    await bind("all", "/clusterrolebindings", "all");
    const codes = async (name: string) => {
      const api = login(name);
      const paths = ["/api/v1/namespaces/default/pods", "/api/v1/pods", "/api/v1/namespaces/default/secrets"];
      return Promise.all(paths.map(async (path) => (await api.get(path)).code));
    };
    expect([await codes("one"), await codes("all")]).toEqual([
      [200, 403, 403],
      [200, 200, 403],
    ]);
  });

  describe("impersonation", () => {
    const whoami = async (token: string, headers: Record<string, string>) => {
      const server = { url: cluster.url, caPem: cluster.caPem, token };
      const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
      const { body } = await sendRequest(server, { method: "POST", path, body: {}, headers });
      return fieldAt(body, "status", "userInfo") ?? stringAt(body, "message");
    };
    const tokenOf = (name: string) =>
      (parse(cluster.kubeconfigFor({ name })) as { users: [{ user: { token: string } }] }).users[0].user.token;

    const asked: readonly (readonly [Record<string, string>, unknown])[] = [
      [{}, { username: "admin", groups: ["system:masters", "system:authenticated"] }],
      [{ "Impersonate-User": "jo" }, { username: "jo", groups: ["system:authenticated"] }],
      [
        {
          "Impersonate-User": "jo",
          "Impersonate-Group": "a, b",
          "Impersonate-Uid": "7",
          "Impersonate-Extra-Scopes": "x",
        },
        { username: "jo", uid: "7", groups: ["a", "b", "system:authenticated"], extra: { scopes: ["x"] } },
      ],
      [
        { "Impersonate-User": "system:serviceaccount:default:bot" },
        {
          username: "system:serviceaccount:default:bot",
          groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
        },
      ],
      [
        { "Impersonate-Group": "a" },
        "Internal error occurred: requested impersonation of groups, a uid or extra fields without a user",
      ],
    ];
    for (const [headers, want] of asked) {
      it(`takes an admin for ${JSON.stringify(headers)}`, async () => {
        expect(await whoami(cluster.adminToken, headers)).toEqual(want);
      });
    }

    it("needs the verb impersonate on each part", async () => {
      const token = tokenOf("mallory");
      expect([
        await whoami(token, { "Impersonate-User": "jo" }),
        await whoami(token, { "Impersonate-User": "system:serviceaccount:default:bot" }),
      ]).toEqual([
        'users "jo" is forbidden: User "mallory" cannot impersonate resource "users" in API group "" at the cluster scope',
        'serviceaccounts "bot" is forbidden: User "mallory" cannot impersonate resource "serviceaccounts" in API group "" in the ' +
          'namespace "default"',
      ]);
    });
  });
});
