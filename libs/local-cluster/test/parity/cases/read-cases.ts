import type { Exchange, ParityCase } from "../exchange.ts";
import { get, post } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

const accepting = (accept: string, path: string): Exchange => ({ method: "GET", path, accept });
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const partialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

/** GET of objects and lists. */
export const readCases: readonly ParityCase[] = [
  inNamespace("lists", (path) => [
    post(path("secrets"), { metadata: { name: "a", labels: { app: "x", tier: "1" } }, type: "one" }),
    post(path("secrets"), { metadata: { name: "b", labels: { app: "y" } }, type: "two" }),
    post(path("secrets"), { metadata: { name: "c" }, type: "two" }),
    get(path("secrets")),
    ...[
      "app",
      "!app",
      "app=x",
      "app==x",
      "app!=x",
      "app in (x,y)",
      "app notin (x)",
      "app,!tier",
      "tier>0",
      "tier<1",
      " app = x , tier = 1 ",
    ].map((selector) => get(path("secrets", `?labelSelector=${encodeURIComponent(selector)}`))),
    ...["a=b,,c", "a in b", "a=b=c", "=", "a in (", "a>b", ","].map((selector) =>
      get(path("secrets", `?labelSelector=${encodeURIComponent(selector)}`)),
    ),
    ...["metadata.name=a", "metadata.name!=a", "type=two", "type!=two,metadata.name!=c"].map((selector) =>
      get(path("secrets", `?fieldSelector=${encodeURIComponent(selector)}`)),
    ),
    ...["data=x", "type", "metadata.labels=x"].map((selector) =>
      get(path("secrets", `?fieldSelector=${encodeURIComponent(selector)}`)),
    ),
    get(path("configmaps", "?fieldSelector=data%3Dx")),
    get(path("secrets", "?limit=2")),
    get(path("secrets", "?limit=x")),
    get(path("secrets", "?resourceVersion=abc")),
    get(path("secrets", "?resourceVersion=0")),
    get(path("secrets", "?resourceVersionMatch=Exact")),
    get(path("secrets", "?resourceVersionMatch=Exact&resourceVersion=0")),
    get(path("secrets", "?resourceVersionMatch=Foo&resourceVersion=1")),
    get(path("secrets", "/a?resourceVersion=0")),
    get("/api/v1/secrets?fieldSelector=metadata.namespace%3Dparity-lists"),
    accepting(table, path("secrets")),
    accepting(table, path("secrets", "/a")),
    accepting(table, path("secrets", "?includeObject=None")),
    accepting(table, path("secrets", "?includeObject=Object&fieldSelector=metadata.name%3Da")),
    accepting(table, path("secrets", "/none")),
    accepting(partialList, path("secrets")),
    accepting(partial, path("secrets", "/a")),
    accepting("text/html", path("secrets")),
    accepting("*/*", path("secrets", "/a")),
    accepting("application/vnd.foo, application/json", path("secrets", "/a")),
  ]),
  {
    name: "paths",
    exchanges: [
      get("/foo"),
      get("/apis/none.example.com/v1"),
      get("/apis/none.example.com"),
      get("/apis/apps/v9"),
      get("/apis/apps/v9/deployments"),
      get("/apis/none.example.com/v1/things"),
      get("/api/v1/things"),
      get("/api/v1/namespaces/default/nodes"),
      get("/api/v1/nodes/none"),
      post("/api/v1/pods", { metadata: { name: "a" } }),
      get("/api/v1/pods/none"),
      get("/apis/apps"),
      get("/api/v1/namespaces/default/configmaps/a/foo"),
      { method: "DELETE", path: "/api/v1/namespaces/default/pods/a/status" },
      { method: "PUT", path: "/api/v1/namespaces/default/pods" },
      { method: "GET", path: "/version/" },
    ],
  },
];
