// Components in files, signed, for the core to read.
import { generateKeyPairSync } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createComponentSource, openFilesBelow, openFolderTarget, signComponent } from "@landscaper/components";
import { artifactOf, newFolder, writeTransport, type TestComponent } from "@landscaper/components/testing";
import { createRegistryClient } from "@landscaper/oci";
import type { CoreOptions } from "../src/add-core-controllers.ts";

export interface TestKey {
  /** PEM. */
  readonly publicKey: string;
  readonly privateKey: string;
}

export function createTestKey(): TestKey {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    publicKey: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

export interface TestComponents {
  /** For the core. */
  readonly components: NonNullable<CoreOptions["components"]>;
  /** Writes a repository of that name in place of what is there; gives its context. The first component is signed when there is a key. */
  write(
    name: string,
    components: readonly TestComponent[],
    privateKey?: string,
  ): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** Repositories below a temporary folder. */
export function createTestComponents(): TestComponents {
  const root = newFolder();
  const registries = createRegistryClient({ userAgent: "test" });
  const source = createComponentSource({ registries, files: openFilesBelow(root) });
  return {
    components: { source },
    write: async (name, components, privateKey) => {
      const folder = join(root, name);
      rmSync(folder, { recursive: true, force: true });
      writeTransport(folder, await Promise.all(components.map(async (component) => await artifactOf(component))));
      const [signed] = components;
      if (privateKey !== undefined && signed !== undefined) {
        await signComponent(signed, await openFolderTarget(folder), {
          name: "release",
          privateKey,
          algorithm: "RSASSA-PKCS1-V1_5",
          normalisationAlgorithm: "jsonNormalisation/v3",
          hashAlgorithm: "SHA-256",
          overwrite: false,
          resolveArtifact: async () => await Promise.reject(new Error("nothing is in registries")),
          signal: new AbortController().signal,
        });
      }
      return { type: "CommonTransportFormat", filePath: name };
    },
    close: async () => {
      await registries.close();
      rmSync(root, { recursive: true });
    },
  };
}
