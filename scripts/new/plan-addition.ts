// What `npm run new` writes, from the smallest packages that there are: copies of them with other names.
import { copyImporter, insertAfter } from "./edit-text.ts";
import { deployerFiles } from "./deployer-files.ts";
import { packageFiles } from "./package-files.ts";

export interface Request {
  readonly kind: "deployer" | "package";
  /** In kebab case. */
  readonly name: string;
}

export interface WorkspaceFile {
  /** Relative to the root of the workspace. */
  readonly path: string;
  readonly content: string;
}

/** What is there before. */
export interface Workspace {
  readonly packageNames: readonly string[];
  exists(path: string): boolean;
  read(path: string): string;
}

interface PackagePlace {
  readonly dir: string;
  readonly name: string;
}

/** A package to be added. */
export interface NewPackage extends PackagePlace {
  /** The package with the same dependencies, except `dropped`. */
  readonly like: PackagePlace;
  /** Dependencies of `like` that the files of the new package do not use. */
  readonly dropped?: readonly string[];
  /** The package in whose layer it stands. */
  readonly beside: PackagePlace;
  readonly files: readonly WorkspaceFile[];
}

interface Addition {
  readonly files: readonly WorkspaceFile[];
  /** Paths of the files that scripts/workspace.ts then generates from these. */
  readonly generated: readonly string[];
  /** Those of `files` that the formatter has to see. */
  readonly lintedFiles: readonly string[];
  /** What is left to do, in lines for people. */
  readonly next: readonly string[];
}

const longestName = 40;

/** Reads the command line and checks the name. */
export function parseRequest(args: readonly string[]): Request {
  const [kind = "", name, ...others] = args;
  if (kind !== "deployer" && kind !== "package") {
    const found = kind === "" ? "nothing" : JSON.stringify(kind);
    throw new Error(`expected "deployer" or "package", found ${found}`);
  }
  if (name === undefined) throw new Error(`expected the name of the ${kind}, found nothing`);
  if (others.length > 0) throw new Error(`expected one name, found ${JSON.stringify([name, ...others])}`);
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name) || name.length > longestName) {
    throw new Error(
      `${JSON.stringify(name)} is not a valid name: expected at most ${longestName} lower-case letters and digits in words joined by "-", such as "git-source"`,
    );
  }
  if (kind === "deployer" && /(^|-)deployer$/.test(name)) {
    throw new Error(`"${name}": expected the name of a deployer without "deployer", which is added to it`);
  }
  return { kind, name };
}

/** Says which files to write; fails when a package or a folder of the name is there. */
export function planAddition(request: Request, workspace: Workspace): Addition {
  const packages =
    request.kind === "deployer" ? deployerFiles(request.name, workspace) : packageFiles(request.name, workspace);
  for (const { dir, name } of packages) {
    if (workspace.exists(dir)) throw new Error(`"${request.name}" exists already: ${dir}`);
    if (workspace.packageNames.includes(name)) throw new Error(`"${request.name}" exists already: package ${name}`);
  }
  const added = packages.flatMap(({ files }) => files);
  const layers = "scripts/workspace.ts";
  return {
    files: [
      ...added,
      edit(workspace, "pnpm-lock.yaml", (text) => packages.reduce(copyImporter, text)),
      edit(workspace, layers, (text) =>
        packages.reduce((before, { name, beside }) => insertAfter(before, `"${beside.name}"`, `, "${name}"`), text),
      ),
      edit(workspace, "ARCHITECTURE.md", (text) =>
        packages.reduce((before, { dir, beside }) => insertAfter(before, `\`${beside.dir}\``, `, \`${dir}\``), text),
      ),
    ],
    generated: [...packages.flatMap(listProjects), "tsconfig.json"],
    lintedFiles: [...added.map(({ path }) => path), layers].filter((path) => /\.(ts|json)$/.test(path)),
    next: describeNext(request),
  };
}

/** Tests are a project of their own. */
function listProjects({ dir, files }: NewPackage): readonly string[] {
  const hasTests = files.some(({ path }) => path.endsWith(".test.ts"));
  return [`${dir}/tsconfig.json`, ...(hasTests ? [`${dir}/test/tsconfig.json`] : [])];
}

function edit(workspace: Workspace, path: string, change: (text: string) => string): WorkspaceFile {
  try {
    return { path, content: change(workspace.read(path)) };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function describeNext({ kind, name }: Request): readonly string[] {
  const project = kind === "deployer" ? `${name}-deployer-lib` : name;
  return [
    "",
    `Its tests:  npm run unit -- --selectProjects ${project}`,
    `All checks: npm run lint`,
    `What else has to be changed, such as schemas, stands in CONTRIBUTING.md: "Add a ${kind}".`,
  ];
}
