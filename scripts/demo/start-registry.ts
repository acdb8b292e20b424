import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, startProcess, type RunningProcess } from "./start-process.ts";

const patienceMs = 15_000;

/** A registry on loopback with its content in `directory`; undefined where docker-registry is not installed. */
export async function startRegistry(
  directory: string,
  processes: RunningProcess[],
): Promise<{ readonly url: string } | undefined> {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/bin", "/usr/sbin"];
  const command = folders.map((folder) => join(folder, "docker-registry")).find((file) => existsSync(file));
  if (command === undefined) return undefined;
  const port = await freePort();
  const config = join(directory, "registry.yaml");
  const storage = { filesystem: { rootdirectory: join(directory, "registry") } };
  await writeFile(config, JSON.stringify({ version: 0.1, storage, http: { addr: `127.0.0.1:${port}` } }));
  const registry = startProcess({
    name: "docker-registry",
    command,
    args: ["serve", config],
    directory,
    environment: {},
  });
  processes.push(registry);
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + patienceMs; ; await sleep(50)) {
    const reply = await fetch(`${url}/v2/`).catch(() => undefined);
    if (reply?.ok === true) return { url: `${url}/components` };
    if (registry.end !== undefined || Date.now() > deadline) throw new Error("docker-registry does not answer");
  }
}
