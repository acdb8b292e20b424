import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, labels, resources } from "@landscaper/api";
import { app, createInstallFolder, token, type InstallFolder } from "../../test/install.ts";

let folder: InstallFolder;
beforeAll(async () => {
  folder = await createInstallFolder();
});
afterAll(async () => folder.remove());

const key = (name: string) => ({ namespace: "ns", name });

describe("landscaper install", () => {
  it("writes everything for a component of an archive, and follows the job", async () => {
    const place = folder.place;
    const { stdout, stderr, exitCode } = await folder.installTo("Succeeded", { name: "app", jobID: "j1" }, [
      place,
      ...folder.wanted,
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout.replaceAll(/^ *\d+s {2}/gm, "")).toBe(
      [
        `component ${app}:1.0.0: blueprint "blueprint"`,
        "created: secret/app-cluster",
        "created: target/app-cluster",
        "created: dataobject/app-version",
        "created: dataobject/app-settings",
        "created: installation/app",
        "installation/app triggered",
        "Installation app: Progressing",
        "Installation app: Succeeded",
        "installation/app succeeded",
        "",
      ].join("\n"),
    );
    const { spec, metadata } = await folder.find("app");
    expect(metadata.labels).toEqual({ "landscaper.gardener.cloud/install-of": "app" });
    expect(spec).toEqual({
      context: "default",
      componentDescriptor: {
        ref: { componentName: app, version: "1.0.0", repositoryContext: expect.objectContaining({ type: "inline" }) },
      },
      blueprint: { ref: { resourceName: "blueprint" } },
      imports: {
        data: [
          { name: "version", dataRef: "app-version" },
          { name: "settings", dataRef: "app-settings" },
        ],
        targets: [{ name: "cluster", target: "app-cluster" }],
      },
    });
    expect((await folder.cluster.client.get(resources.dataObject, key("app-version"))).data).toBe("1.10");
    expect((await folder.cluster.client.get(resources.dataObject, key("app-settings"))).data).toEqual({ size: 3 });
    expect((await folder.cluster.client.get(resources.target, key("app-cluster"))).spec).toEqual({
      type: "landscaper.gardener.cloud/kubernetes-cluster",
      secretRef: { name: "app-cluster", key: "kubeconfig" },
    });
    const secret = await folder.cluster.client.get(kubeResources.secret, key("app-cluster"));
    expect(Buffer.from(secret.data?.["kubeconfig"] ?? "", "base64").toString()).toContain(token);
  });

  it("updates what it has written, keeps what others have added, and takes away what is not imported any more", async () => {
    const place = `${folder.place}:1.0.0`;
    const words = [place, "--name", "again", ...folder.wanted];
    const before = await folder.installTo("Succeeded", { name: "again", jobID: "j1" }, [
      ...words,
      "--import",
      "note=1",
    ]);
    expect(before.stdout).toContain("created: dataobject/again-note\n");
    const marks = { [labels.installOf]: "again", [labels.dataContext]: "Inst.again" };
    const copy = { ...(await folder.cluster.client.get(resources.target, key("again-cluster"))) };
    await folder.cluster.put(resources.target, { ...copy, metadata: { name: "copy-of-the-core", labels: marks } });
    const exports = { data: [{ name: "url", dataRef: "again-url" }] };
    const body = { spec: { exports } };
    await folder.cluster.client.patch(resources.installation, key("again"), { type: "merge", body });
    const { stdout, exitCode } = await folder.installTo("Succeeded", { name: "again", jobID: "j2" }, [
      ...words.slice(0, -1),
      "settings={size: 4}",
    ]);
    expect(exitCode).toBe(0);
    expect(stdout.split("\n").filter((line) => /^(created|updated|unchanged|deleted)/.test(line))).toEqual([
      "unchanged: secret/again-cluster",
      "unchanged: target/again-cluster",
      "unchanged: dataobject/again-version",
      "updated: dataobject/again-settings",
      "updated: installation/again",
      "deleted: dataobject/again-note",
    ]);
    expect(await folder.listObjects()).toContain("Target/copy-of-the-core");
    const { spec } = await folder.find("again");
    expect([spec.exports, spec.imports?.data?.map(({ name }) => name)]).toEqual([exports, ["version", "settings"]]);
    expect((await folder.cluster.client.get(resources.dataObject, key("again-settings"))).data).toEqual({ size: 4 });
  });

  it.each<readonly [string, unknown]>([
    ["text", "text"],
    ["3", 3],
    ["true", true],
    ['"3"', "3"],
    ["[1, a]", [1, "a"]],
    ['{"a": {"b": null}}', { a: { b: null } }],
    ["one\ntwo", "one\ntwo"],
    ["@FILE", { from: "file" }],
  ])("gives the value %j of a local blueprint as %j", async (text, value) => {
    folder.write("value.yaml", "from: file\n");
    const name = "values";
    const given = text.replace("FILE", folder.file("value.yaml"));
    const { exitCode, stderr } = await folder.installTo("Succeeded", { name, jobID: `j-${text}` }, [
      folder.file("plain"),
      "--name",
      name,
      "--import",
      `value=${given}`,
    ]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect((await folder.cluster.client.get(resources.dataObject, key("values-value"))).data).toEqual(value);
    expect((await folder.find(name)).spec.blueprint).toEqual({
      inline: {
        filesystem: {
          "blueprint.yaml": "imports: [{ name: value, type: data, schema: {} }]\n",
          texts: { "note.txt": "a note\n" },
        },
      },
    });
  });

  it("fails with the reason when the job does", async () => {
    const outcome = await folder.installTo("Failed", { name: "plain", jobID: "j1" }, [
      folder.file("plain"),
      "--import",
      "value=1",
    ]);
    expect(outcome).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the job of Installation "plain" has failed\n'),
    });
  });

  it("leaves the job alone when it is interrupted, and says how to go on", async () => {
    const controller = new AbortController();
    const { stderr, exitCode } = await folder.install([folder.file("plain"), "--name", "long", "--import", "value=1"], {
      signal: controller.signal,
      onWrite: (text) => {
        if (text.endsWith("triggered\n")) controller.abort();
      },
    });
    expect({ stderr, exitCode }).toEqual({
      stderr: 'error: stopped waiting; the job goes on, and "landscaper tree --watch -n ns" shows it\n',
      exitCode: 1,
    });
    expect((await folder.find("long")).metadata.annotations).toEqual({
      "landscaper.gardener.cloud/operation": "reconcile",
    });
  });
});
