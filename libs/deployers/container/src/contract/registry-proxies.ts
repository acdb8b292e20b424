import { createParser } from "@landscaper/api";
import { Type, type Static } from "typebox";
import { readJson } from "./state-index.ts";

/** `proxies.json` beside `configuration.json`: the proxy variables of the deployer, which init uses for registries. The values may contain passwords. */
const registryProxiesSchema = Type.Object({
  HTTP_PROXY: Type.Optional(Type.String()),
  HTTPS_PROXY: Type.Optional(Type.String()),
  NO_PROXY: Type.Optional(Type.String()),
});
export type RegistryProxies = Static<typeof registryProxiesSchema>;

const parse = createParser<RegistryProxies>(registryProxiesSchema, "file of proxies");

/** Throws LandscaperError. */
export function parseRegistryProxies(text: string, where: string): RegistryProxies {
  return parse(readJson(text), where);
}
