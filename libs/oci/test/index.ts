import { spawn } from "node:child_process";
import { glob, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";

/** A real registry on loopback, with its content in a folder of its own. */
export interface TestRegistry {
  /** `ADDRESS:PORT`. */
  readonly host: string;
  /** What was pushed by a tag, as PATH:TAG, in the order in which the registry has taken it. A tag that was pushed again counts by the last time. */
  listPushes(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface TestRegistryOptions {
  /** Of this machine, where it listens. Default: 127.0.0.1. */
  readonly address?: string | undefined;
  /** PEM; without them it speaks plain http. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Lines of an htpasswd file with bcrypt hashes: Basic is asked for then. */
  readonly htpasswd?: string | undefined;
  /** Bearer tokens are asked for: who gives them, and the certificates (PEM) that they are signed by. */
  readonly token?:
    | { readonly realm: string; readonly service: string; readonly issuer: string; readonly rootCertificates: string }
    | undefined;
}

/** Debian's package docker-registry. */
const program = "docker-registry";
const startLimitMs = 15_000;

/** Starts a registry of its own port and folder. Throws when the program is missing or does not come up. */
export async function startTestRegistry(options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "registry-"));
  const host = `${options.address ?? "127.0.0.1"}:${await freePort()}`;
  const file = join(folder, "config.json");
  await writeFile(file, JSON.stringify(await configure(folder, host, options)), { mode: 0o600 });
  const child = spawn(program, ["serve", file], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (data: Buffer) => {
    log = (log + data.toString()).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      log += error.message;
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + startLimitMs;
  while (!(await isUp(host, options))) {
    const isOver = child.exitCode !== null || child.pid === undefined || Date.now() > deadline;
    if (isOver) {
      await stop();
      throw new Error(`${program} on ${host} did not come up: ${log}`);
    }
    await sleep(50);
  }
  return { host, listPushes: async () => await readPushes(join(folder, "content")), stop };
}

/** The registry's storage has a file for each tag (https://distribution.github.io/distribution/storage-drivers/filesystem). */
async function readPushes(content: string): Promise<string[]> {
  const repositories = join(content, "docker/registry/v2/repositories");
  const pushes: { text: string; at: bigint }[] = [];
  for await (const file of glob("**/_manifests/tags/*/current/link", { cwd: repositories })) {
    const [path = "", tag = ""] = file.replace(/\/current\/link$/, "").split("/_manifests/tags/");
    const { mtimeNs } = await stat(join(repositories, file), { bigint: true });
    pushes.push({ text: `${path}:${tag}`, at: mtimeNs });
  }
  return pushes.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ text }) => text);
}

async function configure(folder: string, addr: string, { tls, htpasswd, token }: TestRegistryOptions): Promise<object> {
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const files =
    tls === undefined
      ? {}
      : {
          tls: { certificate: await write("tls.crt", tls.cert), key: await write("tls.key", tls.key) },
        };
  const basic = htpasswd === undefined ? {} : { htpasswd: { realm: "test", path: await write("htpasswd", htpasswd) } };
  const bearer =
    token === undefined
      ? {}
      : {
          token: {
            realm: token.realm,
            service: token.service,
            issuer: token.issuer,
            rootcertbundle: await write("token.crt", token.rootCertificates),
          },
        };
  const auth = { ...basic, ...bearer };
  return {
    version: "0.1",
    log: { level: "error" },
    storage: { filesystem: { rootdirectory: join(folder, "content") }, delete: { enabled: true } },
    http: { addr, ...files },
    ...(Object.keys(auth).length === 0 ? {} : { auth }),
  };
}

async function isUp(host: string, { tls }: TestRegistryOptions): Promise<boolean> {
  const { Agent } = await import("undici");
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { body } = await request(`${tls === undefined ? "http" : "https"}://${host}/v2/`, { dispatcher });
    await body.dump();
    return true;
  } catch {
    return false;
  } finally {
    await dispatcher.close();
  }
}

/** Free a moment ago. */
async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

export { startScriptedRegistry, type Script, type ScriptedRegistry, type SeenRequest } from "./scripted-registry.ts";
