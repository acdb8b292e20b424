import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { demoInstallation, demoNamespace, followInstallation } from "./follow-installation.ts";
import { applyAll } from "./apply-all.ts";
import type { Landscape } from "./landscape.ts";

const component = "example.com/shop/landscape";

/** Builds, signs and verifies the components of samples/landscape, installs them, and follows the job; resolves to its phase. */
export async function installLandscape(landscape: Landscape): Promise<string> {
  const { directory, root, hub } = landscape;
  await applyAll(hub, [{ apiVersion: "v1", kind: "Namespace", metadata: { name: demoNamespace } }]);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const [key, publicFile, ctf] = [join(directory, "signer.pem"), join(directory, "signer.pub"), join(directory, "ctf")];
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  await writeFile(publicFile, publicKey.export({ type: "spki", format: "pem" }));
  const sample = (name: string): string => join(root, "samples/landscape", name);
  const run = async (...words: readonly string[]): Promise<string> => await runCommand(landscape, words);

  await run("component", "create", "--constructor", sample("component-constructor.yaml"), "--ctf", ctf);
  await run("component", "sign", `${ctf}//${component}`, "--signature", "release", "--private-key", key);
  await run("component", "verify", `${ctf}//${component}`, "--signature", "release", "--public-key", publicFile);
  const place = await landscape.placeComponents(ctf);
  const where = ["--name", demoInstallation, "-n", demoNamespace, "--kubeconfig", join(directory, "hub.kubeconfig")];
  const target = ["--target", `cluster=${join(directory, "target.kubeconfig")}`];
  const flow = ["--import", `settings=@${sample("settings.yaml")}`, "--export", "url"];
  const installing = run("install", `${ctf}//${component}`, ...place, ...where, ...target, ...flow);
  // What the command ends with is told where it matters: a job that fails is shown by the tree.
  const failure = installing.then(
    () => undefined,
    (error: unknown) => error,
  );
  const phase = await followInstallation(landscape, failure);
  await failure;
  return phase;
}

/** Prints a command and runs it; throws with what it said when it fails. Paths are printed relative to the project. */
async function runCommand({ root, signal, directory }: Landscape, words: readonly string[]): Promise<string> {
  console.log(`$ landscaper ${words.map((word) => word.replaceAll(`${root}/`, "")).join(" ")}`);
  const child = spawn(join(root, "bin/landscaper"), words, {
    cwd: root,
    env: { ...process.env, HOME: directory },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  if (status === 0) return stdout;
  throw new Error(`landscaper ${words[0]} has failed: ${stderr.trim() || stdout.trim()}`);
}
