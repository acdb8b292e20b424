import { globSync, lstatSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** A registry of npm packages on loopback, which knows nothing of any other one. */
export interface PackageRegistry {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where the packages of others lie in this workspace, one folder for each name and version. */
const installed = "node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json";

const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest;

/** The folders of packages by name and version: those that pnpm has installed below `root`, and the built ones of `folders`. */
function findPackages(root: string, folders: readonly string[]): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  const files = globSync(installed, { cwd: root })
    .map((file) => join(root, file))
    .filter((file) => !lstatSync(join(file, "..")).isSymbolicLink());
  for (const folder of [...files.map((file) => join(file, "..")), ...folders]) {
    const { name, version } = readManifest(join(folder, "package.json"));
    found.set(name, (found.get(name) ?? new Map<string, string>()).set(version, folder));
  }
  return found;
}

/** Serves those packages as `npm install --registry URL` asks for them. */
export async function startPackageRegistry(root: string, folders: readonly string[]): Promise<PackageRegistry> {
  const packages = findPackages(root, folders);
  const server = createServer((request, response) => {
    const [path = "", version] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    const versions = packages.get(path);
    const folder = version === undefined ? undefined : versions?.get(version);
    if (versions === undefined || (version !== undefined && folder === undefined)) {
      response.writeHead(404).end("{}");
    } else if (folder === undefined) response.end(JSON.stringify(describe(path, versions)));
    else writeArchive(folder).pipe(response);
  });
  const describe = (name: string, versions: ReadonlyMap<string, string>): object => ({
    name,
    "dist-tags": { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries(
      [...versions].map(([version, folder]) => {
        const manifest = readManifest(join(folder, "package.json"));
        return [version, { ...manifest, dist: { tarball: `${url}/${name}/-/${version}` } }];
      }),
    ),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function writeArchive(folder: string): NodeJS.ReadableStream {
  const archive = pack();
  const files = globSync("**/*", {
    cwd: folder,
    withFileTypes: true,
    exclude: (entry) => entry.name === "node_modules",
  });
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    archive.entry(
      { name: `package/${relative(folder, path)}`, mode: statSync(path).mode, mtime: new Date(0) },
      readFileSync(path),
    );
  }
  archive.finalize();
  return archive.pipe(createGzip({ level: 1 }));
}
