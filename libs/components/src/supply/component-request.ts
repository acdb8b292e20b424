import type { Access, RepositoryContext, Resource } from "@landscaper/ocm";
import type { ComponentName } from "../repository/component-version.ts";

/** The descriptor of a component version. */
export interface DescriptorRequest {
  readonly type: "descriptor";
  readonly component: ComponentName;
  /** The repository that is named for it; those of the OCM configuration come after it. */
  readonly context: RepositoryContext | undefined;
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

/** A blueprint is kept in a store of its own. */
export type ContentUse = "blueprint" | "content";

/** What can be fetched of components. Plain data: it goes from a thread to the main thread. */
export type ComponentRequest = DescriptorRequest | ContentRequest;

/** Equal for equal requests. */
export function keyOfRequest(request: ComponentRequest): string {
  const { type, component, context } = request;
  const more = type === "content" ? [request.resource, request.access, request.digest ?? null, request.use] : [];
  return JSON.stringify([type, component.name, component.version, context ?? null, ...more]);
}

/** For messages. */
export function describeRequest(request: ComponentRequest): string {
  const component = `component ${request.component.name}:${request.component.version}`;
  return request.type === "descriptor" ? component : `${component}: resource "${request.resource}"`;
}
