// Components in files, signed, for the core to read.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createComponentSource, openFilesBelow, openFolderTarget } from "@landscaper/components";
import {
  artifactOf,
  newFolder,
  signTestComponent,
  writeTransport,
  type SigningKey,
  type TestComponent,
} from "@landscaper/components/testing";
import { createRegistryClient } from "@landscaper/oci";
import type { CoreOptions } from "../src/add-core-controllers.ts";

export interface TestComponents {
  /** For the core. */
  readonly components: NonNullable<CoreOptions["components"]>;
  /** Writes a repository of that name in place of what is there; gives its context. The first component is signed when there is a key. */
  write(
    name: string,
    components: readonly TestComponent[],
    key?: SigningKey,
  ): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** Repositories below a temporary folder. */
export function createTestComponents(): TestComponents {
  const root = newFolder();
  const registries = createRegistryClient({ userAgent: "test" });
  const source = createComponentSource({ registries, files: openFilesBelow(root).open });
  return {
    components: { source },
    write: async (name, components, key) => {
      const folder = join(root, name);
      rmSync(folder, { recursive: true, force: true });
      writeTransport(folder, await Promise.all(components.map(async (component) => await artifactOf(component))));
      const [signed] = components;
      if (key !== undefined && signed !== undefined) {
        await signTestComponent(signed, await openFolderTarget(folder), key);
      }
      return { type: "CommonTransportFormat", filePath: name };
    },
    close: async () => {
      await registries.close();
      rmSync(root, { recursive: true });
    },
  };
}
