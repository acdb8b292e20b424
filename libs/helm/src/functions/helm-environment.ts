import type { CallContext } from "@landscaper/golang";
import type { TemplateSet } from "@landscaper/gotemplate";

/** An object in the cluster that a template asks for; an empty name asks for all of them. */
export interface LookupQuery {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Finds objects in a cluster: plain data, or undefined when there is none. */
export type Lookup = (query: LookupQuery) => unknown;

/** What Helm's functions work on while the templates of a chart are rendered. */
export interface HelmEnvironment {
  /** The templates that `include` finds; those of the text while `tpl` runs one. */
  templates: TemplateSet;
  /** How often each template is being included right now. */
  readonly includes: Map<string, number>;
  readonly lookup: Lookup | undefined;
}

/** The environment that renderTemplates gave. */
export function environmentOf(context: CallContext): HelmEnvironment {
  // Only renderTemplates runs templates with these functions, and it always gives one.
  return context.environment as HelmEnvironment;
}
