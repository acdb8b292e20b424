import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { dirname } from "node:path";
import { app, createInstallFolder, type InstallFolder } from "../../test/install.ts";

let folder: InstallFolder;
beforeAll(async () => {
  folder = await createInstallFolder();
});
afterAll(async () => folder.remove());

const kubeconfigWithPlugin = JSON.stringify({
  "current-context": "x",
  contexts: [{ name: "x", context: { cluster: "x", user: "x" } }],
  clusters: [{ name: "x", cluster: { server: "https://target.example.test" } }],
  users: [{ name: "x", user: { exec: { command: "s3cr3t" } } }],
});

describe("landscaper install refuses, before anything is written,", () => {
  const ctf = (): string => folder.place;
  const other = (name: string): string => `${folder.file("others-ctf")}//example.com/shop/${name}`;

  it.each<readonly [string, () => readonly string[], string]>([
    [
      "imports that are missing, unknown or of another type, all at once",
      () => [ctf(), "--import", "versoin=1", "--import", "cluster=1", "--import", "settings=[]", "--export", "url"],
      `what is given does not fit the blueprint:
imports.versoin: the blueprint has no such import, it has cluster (target), version (data), settings (data), note (data)
imports.cluster: it is a target: --target cluster=KUBECONFIG
exports.url: the blueprint has no such export, it has none
imports.version: the blueprint requires this data import: --import version=VALUE
  schema: {"type":"string"}
imports.settings: expected a map, found a list
  schema: {"$ref":"cd://componentReferences/part/resources/schema"}`,
    ],
    [
      "values that are not YAML, without showing them",
      () => [folder.file("plain"), "--import", "value={s3cr3t"],
      "what is given does not fit the blueprint:\nimports.value: the value: expected JSON or YAML: line 2, column 1",
    ],
    [
      "a kubeconfig that deployers refuse",
      () => [folder.place, "--target", `cluster=${folder.write("exec.yaml", kubeconfigWithPlugin)}`],
      "--target cluster: @/exec.yaml: kubeconfig: users[x].user.exec",
    ],
    [
      "a component without blueprint",
      () => [other("bare")],
      "component example.com/shop/bare:1.0.0: expected one blueprint, found none",
    ],
    [
      "a component with several",
      () => [other("two")],
      "component example.com/shop/two:1.0.0: expected one blueprint, found one, other; --blueprint names one",
    ],
    [
      "another resource than a blueprint",
      () => [other("two"), "--blueprint", "third"],
      'spec.blueprint.ref: component example.com/shop/two:1.0.0 has no resource "third", it has "one", "other"',
    ],
    [
      "content that does not fit into an Installation",
      () => [other("charted"), "--import", "value=1"],
      `the component cannot stand in the Installation; --push REGISTRY copies it to where the services find it:
component example.com/shop/charted:1.0.0: resource "chart": a chart, which the helm deployer fetches from a registry
component example.com/shop/charted:1.0.0: resource "image": it is not text`,
    ],
    [
      "a blueprint that is too large",
      () => [dirname(folder.write("large/blueprint.yaml", `# ${"x".repeat(1_100_000)}\n`))],
      'the Installation would have 1075 KiB, expected at most 1024 KiB: the blueprint does not fit into it; "landscaper component create" makes a component of the folder, which --push copies into a registry',
    ],
    [
      "a Context that is not there",
      () => [ctf(), ...folder.wanted, "--context", "none"],
      '--context: there is no Context "none"',
    ],
  ])("%s", async (_title, words, message) => {
    const before = await folder.listObjects();
    const { stdout, stderr, exitCode } = await folder.install(["--name", "refused", ...words()]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).not.toContain("s3cr3t");
    expect(await folder.listObjects()).toEqual(before);
  });

  it.each<readonly [() => readonly string[], string]>([
    [() => ["nowhere"], 'expected REPOSITORY//COMPONENT[:VERSION], or a folder or archive, found "nowhere"'],
    [() => [ctf(), "--name", "Upper"], "--name: expected at most 58 lower-case letters"],
    [
      () => [folder.file("plain"), "--name", "a.b"],
      '--name: expected at most 58 lower-case letters, digits and "-" that begin and end with a letter or digit, found "a.b"',
    ],
    [() => [ctf(), "--import", "s3cr3t"], "--import: expected NAME=VALUE, found no equals sign"],
    [() => [ctf(), "--import", "a=1", "--import", "a=2"], '--import: expected "a" once'],
    [() => [ctf(), "--target", "cluster=/none"], "--target cluster: cannot read /none (ENOENT). Correct the path"],
    [() => [ctf(), "--push", "./folder"], '--push: expected a registry with a path, found "./folder"'],
    [
      () => [folder.file("plain"), "--push", "registry.example.test/team"],
      "--push: expected a component, found the folder of a blueprint",
    ],
    [
      () => [`registry.example.test/team//${app}:1.0.0`, "--push", "registry.example.test/team"],
      "--push: expected a component of an archive: this one lies in a registry already",
    ],
    [
      () => [folder.file("others-ctf")],
      "@/others-ctf: expected one component, found 3: name one as @/others-ctf//COMPONENT",
    ],
  ])("a wrong command line %#", async (words, message) => {
    const { stdout, stderr, exitCode } = await folder.install(words());
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).not.toContain("s3cr3t");
  });
});
