import type { SchemaVersion } from "./component-descriptor.ts";

/** Where a schema has what messages speak of. */
interface FieldPaths {
  readonly component: string;
  readonly resources: string;
  readonly sources: string;
  readonly references: string;
}

export const fieldPaths: Readonly<Record<SchemaVersion, FieldPaths>> = {
  v2: {
    component: "component",
    resources: "component.resources",
    sources: "component.sources",
    references: "component.componentReferences",
  },
  "ocm.software/v3alpha1": {
    component: "metadata",
    resources: "spec.resources",
    sources: "spec.sources",
    references: "spec.references",
  },
};
