export * from "./kube-object.ts";
