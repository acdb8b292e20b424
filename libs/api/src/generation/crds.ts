import { Type } from "typebox";
import type { CustomResourceDefinition, StructuralSchema } from "../objects/foreign-kinds.ts";
import type { KindDefinition } from "../objects/kind-definition.ts";
import { kinds } from "../objects/resources.ts";
import { toStructuralSchema } from "../schema/structural-schema.ts";

const typeMeta: Record<string, StructuralSchema> = {
  apiVersion: { description: "Version of the API that the object is written for.", type: "string" },
  kind: { description: "Kind of the object.", type: "string" },
  metadata: { type: "object" },
};

function rootSchema(kind: KindDefinition): StructuralSchema {
  const { properties, ...schema } = toStructuralSchema(Type.Object(kind.fields, { description: kind.description }));
  return { ...schema, properties: { ...typeMeta, ...properties } };
}

function toCrd(kind: KindDefinition): CustomResourceDefinition {
  const { group, version, plural, namespaced } = kind.type;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind: kind.type.kind,
        listKind: `${kind.type.kind}List`,
        plural,
        singular: kind.singular,
        ...(kind.shortNames.length > 0 ? { shortNames: [...kind.shortNames] } : {}),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: kind.columns.map((column) => ({ ...column })),
          schema: { openAPIV3Schema: rootSchema(kind) },
          ...(kind.hasStatusSubresource ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

/** The CRD of every kind, as `crds/*.yaml` has them. */
export function generateCrds(): CustomResourceDefinition[] {
  return kinds.map((kind) => toCrd(kind));
}
