import type { Static } from "typebox";
import { defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { anyJson, anyObject, list, mapOf, object, optional, text } from "../schema/schema-fields.ts";

const secretKeyRefSchema = object(
  {
    name: text("Name of the Secret."),
    namespace: optional(text("Namespace of the Secret.")),
    key: optional(text("Entry of the Secret.")),
  },
  "A Secret.",
);

export const contextSchema = object(
  {
    repositoryContext: optional(anyObject("OCM repository for components.")),
    ocmConfig: optional(
      object(
        { name: optional(text("ConfigMap with the key .ocmconfig.")) },
        "OCM configuration: resolvers, credentials.",
      ),
    ),
    registryPullSecrets: optional(
      list(object({ name: optional(text("Name of the Secret.")) }, "A Secret."), "Credentials of registries."),
    ),
    configurations: optional(mapOf(anyJson("Configuration."), "Configurations by name.")),
    componentVersionOverwrites: optional(text("ComponentVersionOverwrites of the same namespace.")),
    verificationSignatures: optional(
      mapOf(
        object(
          {
            publicKeySecretReference: optional(secretKeyRefSchema),
            caCertificateSecretReference: optional(secretKeyRefSchema),
          },
          "Key or certificate authority.",
        ),
        "Signatures that are trusted, by name.",
      ),
    ),
  },
  "Shared settings of Installations.",
);

/** Its fields stand at the top level. */
export interface Context extends KubeObject, Static<typeof contextSchema> {}

export const contextKind = defineKind<Context>({
  kind: "Context",
  plural: "contexts",
  singular: "context",
  shortNames: ["ctx"],
  description: "Shared settings of Installations: repositories, credentials, overwrites.",
  columns: [],
  fields: contextSchema.properties,
});
