import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type Context } from "@landscaper/api";
import { createInstallFolder, type InstallFolder } from "../../test/install.ts";

let folder: InstallFolder;
beforeAll(async () => {
  folder = await createInstallFolder();
});
afterAll(async () => folder.remove());

const key = (name: string) => ({ namespace: "ns", name });

describe("the Context of landscaper install", () => {
  const registry = { type: "OCIRegistry", baseUrl: "registry.example.test/team" };
  const contextNamed = (name: string, repositoryContext: Context["repositoryContext"]) => ({
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Context",
    metadata: { name },
    ...(repositoryContext === undefined ? {} : { repositoryContext }),
  });
  const dryRun = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await folder.install([folder.place, ...folder.wanted, "--dry-run", ...words]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return stdout;
  };

  it("is one of its own with the repository, which is shown without secrets and not written in a dry run", async () => {
    const before = await folder.listObjects();
    const text = await dryRun("--name", "own", "--repository-context", registry.baseUrl);
    expect(text).toContain(
      `---
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Context
metadata:
  name: own
  namespace: ns
  labels:
    landscaper.gardener.cloud/install-of: own
repositoryContext:
  type: OCIRegistry
  baseUrl: registry.example.test/team
---
apiVersion: v1
kind: Secret
metadata:
  name: own-cluster
  namespace: ns
  labels:
    landscaper.gardener.cloud/install-of: own
data:
  kubeconfig: "[...]"
`,
    );
    expect(text).toContain("spec:\n  context: own\n  componentDescriptor:\n    ref:\n      componentName:");
    expect(await folder.listObjects()).toEqual(before);
  });

  it("is the one that the command line names, as it is", async () => {
    await folder.cluster.put(resources.context, contextNamed("theirs", undefined));
    const text = await dryRun("--name", "own", "--repository-context", registry.baseUrl, "--context", "theirs");
    expect(text).not.toContain("kind: Context");
    expect(text).toContain(
      "spec:\n  context: theirs\n  componentDescriptor:\n    ref:\n      repositoryContext:\n        type: OCIRegistry\n",
    );
  });

  it("is the default one when it has the repository", async () => {
    await folder.cluster.put(resources.context, contextNamed("default", registry));
    const text = await dryRun("--name", "own", "--repository-context", registry.baseUrl);
    expect(text).not.toContain("kind: Context");
    expect(text).toContain("spec:\n  componentDescriptor:\n    ref:\n      componentName:");
    await folder.cluster.client.delete(resources.context, key("default"));
  });

  it("is not written over one of somebody else", async () => {
    await folder.cluster.put(resources.context, contextNamed("taken", undefined));
    const before = await folder.listObjects();
    const words = [folder.place, ...folder.wanted, "--name", "taken", "--repository-context", registry.baseUrl];
    expect(await folder.install(words)).toEqual({
      stdout: "",
      stderr:
        'error: Context "taken" in namespace "ns" is there already and was not written by landscaper install; choose another --name\n',
      exitCode: 1,
    });
    expect(await folder.listObjects()).toEqual(before);
  });
});
