// Signed components of a registry, and Installations that demand the signature.
import type { UnstructuredObject } from "@landscaper/api";
import { createRegistryTarget, parseRepositoryContext } from "@landscaper/components";
import {
  blueprintResource,
  pushComponents,
  signTestComponent,
  type SigningKey,
  type TestComponent,
  type TestKey,
  type TestPlace,
} from "@landscaper/components/testing";
import { playedType } from "@landscaper/testkit";
import { stringify } from "yaml";
import { componentInstallation, contextObject } from "./component-landscape.ts";
import {
  blueprintYaml,
  dataParameter,
  deployItems,
  goTemplate,
  mockItem,
} from "../installations/inline-installation.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";

/** Deploys its words; its blueprint is used by `waiting`. */
export async function leafWith(words: string): Promise<TestComponent> {
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({
      imports: [dataParameter("ready", { type: "string" })],
      deployExecutions: deployItems(
        mockItem("leaf", { providerStatus: { words: '{{ getResourceContent "cd://resources/words" }}' } }),
      ),
    }),
  });
  return { name: "example.com/signed-leaf", version: "1.0.0", resources: { blueprint, words } };
}

const leafReference = { name: "leaf", componentName: "example.com/signed-leaf", version: "1.0.0" };

/** Has a first subinstallation, which ends when the test ends its item, and the leaf as the second one, which waits for the first. */
export async function waiting(): Promise<TestComponent> {
  const first = {
    apiVersion,
    kind: "InstallationTemplate",
    name: "first",
    blueprint: {
      filesystem: {
        "blueprint.yaml": blueprintYaml({
          exports: [dataParameter("ready", { type: "string" })],
          deployExecutions: deployItems({
            name: "held",
            type: playedType,
            config: { apiVersion: "test/v1", kind: "Nothing" },
          }),
          exportExecutions: goTemplate('exports: { ready: "yes" }\n'),
        }),
      },
    },
    exports: { data: [{ name: "ready", dataRef: "ready" }] },
  };
  const second = {
    apiVersion,
    kind: "InstallationTemplate",
    name: "second",
    blueprint: { ref: "cd://componentReferences/leaf/resources/blueprint" },
    imports: { data: [{ name: "ready", dataRef: "ready" }] },
  };
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({ subinstallations: [{ file: "first.yaml" }, { file: "second.yaml" }] }),
    "first.yaml": stringify(first),
    "second.yaml": stringify(second),
  });
  return { name: "example.com/waiting", version: "1.0.0", resources: { blueprint }, references: [leafReference] };
}

/** Stores the components and signs the first one. */
export async function pushSigned(
  place: TestPlace,
  key: SigningKey,
  ...components: readonly TestComponent[]
): Promise<void> {
  await pushComponents(place, ...components);
  const spec = parseRepositoryContext({ type: "OCIRegistry", baseUrl: place.baseUrl }, "test");
  const [first] = components;
  if (spec.kind !== "registry" || first === undefined) throw new Error("expected a registry and a component");
  await signTestComponent(first, createRegistryTarget(place.session, spec), key);
}

/** The Secret "signer" with the key under "public.pem", and the default Context that trusts it. */
export function signerObjects({ publicKey }: TestKey, context: Readonly<Record<string, unknown>> = {}) {
  const data = { "public.pem": Buffer.from(publicKey, "utf8").toString("base64") };
  const publicKeySecretReference = { name: "signer", key: "public.pem" };
  return [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "signer" }, data },
    contextObject({ verificationSignatures: { release: { publicKeySecretReference } }, ...context }),
  ] as const;
}

/** An Installation "root" of the component that demands the signature. */
export function signedInstallation(
  { name, version }: Pick<TestComponent, "name" | "version">,
  repository: string,
  spec: Readonly<Record<string, unknown>> = {},
): UnstructuredObject {
  const verification = { signatureName: "release" };
  return componentInstallation({ name, version, repository, spec: { imports: {}, verification, ...spec } });
}
