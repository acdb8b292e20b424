import type { ParityCase } from "../exchange.ts";
import { get, post } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

/** Questions about users, and tokens of service accounts. */
export const reviewCases: readonly ParityCase[] = [
  inNamespace("reviews", (path) => [
    post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } },
    }),
    post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { nonResourceAttributes: { verb: "get", path: "/healthz" } },
    }),
    post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { spec: {} }),
    post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { spec: {} }),
    get("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"),
    post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "nobody's" } }),
    post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: {} }),
    post(path("serviceaccounts", "/default/token"), {}),
    post(path("serviceaccounts", "/default/token"), { spec: { expirationSeconds: 599 } }),
    post(path("serviceaccounts", "/default/token"), { spec: { audiences: ["me"], expirationSeconds: 600 } }),
    post(path("serviceaccounts", "/none/token"), { spec: {} }),
  ]),
  inNamespace("token secrets", (path) => [
    post(path("secrets"), {
      metadata: { name: "t", annotations: { "kubernetes.io/service-account.name": "default" } },
      type: "kubernetes.io/service-account-token",
    }),
    get(path("secrets", "/t"), (body) => JSON.stringify(body).includes('"token":')),
    post(path("secrets"), {
      metadata: { name: "u", annotations: { "kubernetes.io/service-account.name": "nobody" } },
      type: "kubernetes.io/service-account-token",
    }),
    get(path("secrets", "/u"), (body) => JSON.stringify(body).includes("404")),
  ]),
];
