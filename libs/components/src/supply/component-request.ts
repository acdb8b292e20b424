import type { Access, RepositoryContext, Resource } from "@landscaper/ocm";
import type { ComponentName } from "../repository/component-version.ts";

/** The descriptor of a component version. */
export interface DescriptorRequest {
  readonly type: "descriptor";
  readonly component: ComponentName;
  /** The repository that is named for it; those of the OCM configuration come after it. */
  readonly context: RepositoryContext | undefined;
  /** The reference that leads to it, for messages; undefined for what an Installation names. It does not tell requests apart. */
  readonly from?: string | undefined;
}

/** The content of a resource. */
export interface ContentRequest {
  readonly type: "content";
  readonly component: ComponentName;
  /** The repository that its component was found in. */
  readonly context: RepositoryContext | undefined;
  readonly resource: string;
  readonly access: Access;
  /** What the descriptor says of the content. */
  readonly digest: Resource["digest"];
  readonly use: ContentUse;
}

/** The hash of a resource's content: the content itself is not kept. */
export interface DigestRequest extends Omit<ContentRequest, "type" | "use" | "digest"> {
  readonly type: "digest";
  /** How the hash is made. */
  readonly digest: NonNullable<Resource["digest"]>;
}

/** A blueprint is kept in a store of its own. */
export type ContentUse = "blueprint" | "content";

/** What can be fetched of components. Plain data: it goes from a thread to the main thread. */
export type ComponentRequest = DescriptorRequest | ContentRequest | DigestRequest;

/** Equal for equal requests. */
export function keyOfRequest(request: ComponentRequest): string {
  const { type, component, context } = request;
  const common = [type, component.name, component.version, context ?? null];
  if (request.type === "descriptor") return JSON.stringify(common);
  const use = request.type === "content" ? [request.use] : [];
  return JSON.stringify([...common, request.resource, request.access, request.digest ?? null, ...use]);
}

/** For messages. */
export function describeRequest(request: ComponentRequest): string {
  const component = `component ${request.component.name}:${request.component.version}`;
  return request.type === "descriptor" ? component : `${component}: resource "${request.resource}"`;
}
