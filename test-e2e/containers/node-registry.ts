import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bcryptHash } from "@landscaper/golang";
import { waitFor } from "@landscaper/testkit";
import { containerdSocket } from "../cluster/node-files.ts";
import type { ClusterNode } from "../cluster/node.ts";

export interface NodeRegistryOptions {
  readonly node: Pick<ClusterNode, "run">;
  /** Scratch. */
  readonly folder: string;
  readonly user: string;
  readonly password: string;
}

/** A registry on the loopback of the node, which asks for a password. */
export interface NodeRegistry {
  readonly host: string;
  /** Pushes an image that the node has under another name; the node forgets it under the new one. */
  push(image: string, as: string): void;
  /** Until `start`, nothing listens there. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Pushes the image of an OCI archive, for whatever platform; the node does not keep it. */
  pushArchive(archive: string, as: string): void;
}

/** Starts it (docker-registry); it ends with the node. */
export async function startNodeRegistry({ node, folder, user, password }: NodeRegistryOptions): Promise<NodeRegistry> {
  const host = "127.0.0.1:5000";
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  const htpasswd = join(folder, "htpasswd");
  writeFileSync(htpasswd, `${user}:${bcryptHash(password, 4, Buffer.alloc(16, 7))}\n`);
  const file = join(folder, "config.json");
  const settings = {
    version: "0.1",
    log: { level: "error" },
    storage: { filesystem: { rootdirectory: join(folder, "content") } },
    http: { addr: host },
    auth: { htpasswd: { realm: "test", path: htpasswd } },
  };
  writeFileSync(file, JSON.stringify(settings));
  const images = (...args: readonly string[]): string =>
    node.run(["ctr", `--address=${containerdSocket}`, "--namespace=k8s.io", "images", ...args]);
  const upload = (as: string): void => {
    images("push", "--plain-http", "--user", `${user}:${password}`, as);
    images("rm", "--sync", as);
  };
  const probe = `(: < /dev/tcp/${host.replace(":", "/")}) 2>/dev/null && echo up || true`;
  const untilUp = async (isUp: boolean): Promise<void> =>
    void (await waitFor(() => node.run(["bash", "-c", probe]).includes("up") === isUp));
  const pidFile = join(folder, "pid");
  const start = async (): Promise<void> => {
    const line = `docker-registry serve ${file} >> ${join(folder, "log")} 2>&1 < /dev/null & echo $! > ${pidFile}`;
    node.run(["sh", "-c", line]);
    await untilUp(true);
  };
  await start();
  return {
    host,
    start,
    async stop() {
      node.run(["sh", "-c", `kill $(cat ${pidFile})`]);
      await untilUp(false);
    },
    push(image, as) {
      images("tag", image, as);
      upload(as);
    },
    pushArchive(archive, as) {
      images("import", "--all-platforms", "--no-unpack", `--base-name=${as.replace(/:\w+$/, "")}`, archive);
      upload(as);
    },
  };
}
