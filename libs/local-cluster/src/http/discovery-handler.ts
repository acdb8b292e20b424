import {
  aggregatedDiscovery,
  coreVersions,
  groupDocument,
  groupList,
  resourceList,
} from "../discovery/discovery-documents.ts";
import type { ServedGroup } from "../discovery/group-versions.ts";
import { groupDefinitions } from "../discovery/group-versions.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import { resourceNotServed } from "../status/status-error.ts";
import type { Answer } from "./answer.ts";
import { jsonAnswer, textAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { kubernetesVersion } from "../discovery/kubernetes-version.ts";
import { negotiate } from "./negotiate.ts";

/** What GET /version answers: the release whose behaviour this server follows. */
const version = {
  major: "1",
  minor: "34",
  emulationMajor: "1",
  emulationMinor: "34",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "33",
  gitVersion: kubernetesVersion,
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: "",
};

/** Serves discovery, /version and the health checks. */
export class DiscoveryHandler {
  readonly #resources: ResourceRegistry;
  readonly #address: () => string;
  #groups: readonly ServedGroup[] = [];
  #groupsVersion = -1;

  constructor(resources: ResourceRegistry, address: () => string) {
    this.#resources = resources;
    this.#address = address;
  }

  /** Undefined for paths that are not of its kind. */
  handle(request: ApiRequest): Answer | undefined {
    const segments = request.path.split("/").filter((segment) => segment !== "");
    const [root = "", group, groupVersion] = segments;
    switch (root) {
      case "healthz":
      case "livez":
      case "readyz":
        return textAnswer("ok");
      case "version":
        return jsonAnswer(version);
      case "api":
        if (group === undefined) return this.#root(request, "api");
        return segments.length === 2 ? this.#version("", group) : undefined;
      case "apis":
        if (group === undefined) return this.#root(request, "apis");
        if (groupVersion === undefined) return this.#group(group);
        if (segments.length === 3) return this.#version(group, groupVersion);
        return undefined;
      default:
        return undefined;
    }
  }

  #root(request: ApiRequest, root: "api" | "apis"): Answer {
    const groups = this.#served();
    const form = negotiate(request.accept);
    if (form.form !== "discovery") {
      return jsonAnswer(root === "api" ? coreVersions(this.#address()) : groupList(groups));
    }
    const wanted = groups.filter(({ name }) => (name === "") === (root === "api"));
    return {
      ...jsonAnswer(aggregatedDiscovery(wanted, form.version)),
      contentType: `application/json;g=apidiscovery.k8s.io;v=${form.version};as=APIGroupDiscoveryList`,
      headers: { Vary: "Accept" },
    };
  }

  #group(name: string): Answer | undefined {
    const found = this.#served().find((group) => group.name === name);
    return found === undefined ? undefined : jsonAnswer(groupDocument(found));
  }

  #version(name: string, version: string): Answer | undefined {
    const group = this.#served().find((candidate) => candidate.name === name);
    if (group === undefined) return undefined;
    const served = group.versions.find((candidate) => candidate.version === version);
    if (served === undefined) throw resourceNotServed();
    return jsonAnswer(resourceList(name, served));
  }

  /** Whether any version of an API group is served; paths of other groups are no API paths at all. */
  hasGroup(name: string): boolean {
    return this.#served().some((group) => group.name === name);
  }

  #served(): readonly ServedGroup[] {
    if (this.#groupsVersion !== this.#resources.version) {
      this.#groups = groupDefinitions(this.#resources.all());
      this.#groupsVersion = this.#resources.version;
    }
    return this.#groups;
  }
}
