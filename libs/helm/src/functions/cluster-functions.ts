import { type FunctionMap, define, fromPlain } from "@landscaper/golang";
import { environmentOf } from "./helm-environment.ts";

/** Functions that look beyond the chart. Names of hosts are not resolved, as by Helm without --enable-dns. */
export const clusterFunctions: FunctionMap = {
  lookup: define(["string", "string", "string", "string"], ([apiVersion, kind, namespace, name], context) => {
    const found = environmentOf(context).lookup?.({ apiVersion, kind, namespace, name });
    return found === undefined ? new Map() : fromPlain(found);
  }),
  getHostByName: define(["string"], () => ""),
};
