import { describe, expect, it } from "@jest/globals";
import { Store } from "../storage/store.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";

function setUp() {
  const store = new Store();
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  const put = (plural: string, name: string, rest: Record<string, unknown> = {}) =>
    store.put(
      plural,
      { apiVersion: "v1", kind: "X", metadata: { name, namespace: "n", uid: `uid-${name}` }, ...rest },
      store.collection(plural).get("n", name),
    );
  const account = put("serviceaccounts", "sa");
  return { store, clock, put, account, tokens: new ServiceAccountTokens(store, () => clock.now) };
}
const audience = "https://kubernetes.default.svc";
const user = {
  name: "system:serviceaccount:n:sa",
  uid: "uid-sa",
  groups: ["system:serviceaccounts", "system:serviceaccounts:n", "system:authenticated"],
};

describe("ServiceAccountTokens", () => {
  it("knows whose token it has issued until it ends", () => {
    const { tokens, account, clock } = setUp();
    const token = tokens.issue({ serviceAccount: account, audiences: [audience], expirationSeconds: 600 });
    expect(tokens.check(token)).toMatchObject(user);
    clock.now += 599_000;
    expect(tokens.check(token)).toMatchObject(user);
    clock.now += 1000;
    expect(tokens.check(token)).toBeUndefined();
  });

  it("accepts a token for its own audiences only", () => {
    const { tokens, account } = setUp();
    const token = tokens.issue({ serviceAccount: account, audiences: ["other"], expirationSeconds: 600 });
    expect(tokens.check(token)).toBeUndefined();
    expect(tokens.check(token, "other")).toMatchObject(user);
  });

  it("forgets a token with its account, also when one of that name comes again", () => {
    const { tokens, account, store, put } = setUp();
    const token = tokens.issue({ serviceAccount: account, audiences: [audience], expirationSeconds: 600 });
    store.remove("serviceaccounts", account.object, account);
    expect(tokens.check(token)).toBeUndefined();
    put("serviceaccounts", "sa", { metadata: { name: "sa", namespace: "n", uid: "another" } });
    expect(tokens.check(token)).toBeUndefined();
  });

  it("forgets a token with the pod that it is bound to", () => {
    const { tokens, account, store, put } = setUp();
    const pod = put("pods", "p");
    const boundTo = { kind: "Pod", name: "p", uid: pod.uid } as const;
    const token = tokens.issue({ serviceAccount: account, audiences: [audience], expirationSeconds: 600, boundTo });
    expect(tokens.check(token)).toMatchObject(user);
    store.remove("pods", pod.object, pod);
    expect(tokens.check(token)).toBeUndefined();
  });

  it("accepts the token of a secret without end, as long as the secret holds it", () => {
    const { tokens, account, clock, put, store } = setUp();
    const token = tokens.issueForSecret(account, "s");
    expect(tokens.check(token)).toBeUndefined();
    const secret = put("secrets", "s", { data: { token: Buffer.from(token).toString("base64") } });
    clock.now += 10 * 365 * 24 * 3600 * 1000;
    expect(tokens.check(token)).toEqual(user);
    store.remove("secrets", secret.object, secret);
    expect(tokens.check(token)).toBeUndefined();
  });

  it("refuses the tokens of another cluster", () => {
    const other = setUp();
    const token = other.tokens.issue({ serviceAccount: other.account, audiences: [audience], expirationSeconds: 600 });
    expect(setUp().tokens.check(token)).toBeUndefined();
  });
});
