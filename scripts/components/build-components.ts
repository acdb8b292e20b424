import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stringify } from "yaml";
import { packCharts } from "../charts/pack-charts.ts";
import { findImages } from "../images/image-list.ts";
import { runCommand } from "../run-command.ts";
import { constructorOf, findServices } from "./deployer-components.ts";

export interface ComponentsOptions {
  /** Of the repository. */
  readonly root: string;
  /** Gets `component-constructor.yaml`, and `ctf` with the components. */
  readonly output: string;
  readonly version: string;
  /** HOST/PREFIX of the images. */
  readonly registry: string;
  /** See ConstructorOptions. */
  readonly imageDigests?: ReadonlyMap<string, string> | undefined;
  /** Folder of charts that are packed for this registry; they are packed below `output` by default. */
  readonly charts?: string | undefined;
}

/** Builds the components of the deployers and of the agent by `landscaper component create`, the same bytes each time. Returns its lines. */
export async function buildDeployerComponents(options: ComponentsOptions): Promise<string[]> {
  const { root, output, version, registry, imageDigests } = options;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const charts = options.charts ?? join(output, "charts");
  if (options.charts === undefined) await packCharts({ root, output: charts, imagePrefix: `${registry}/` });
  const constructor = join(output, "component-constructor.yaml");
  const paths = { root: relative(output, root), charts: relative(output, charts) };
  const images = findImages(root).map(({ name }) => name);
  const document = constructorOf({ services: findServices(root), images, version, registry, imageDigests, paths });
  writeFileSync(constructor, stringify(document));
  const create = ["component", "create", "--constructor", constructor, "--ctf", join(output, "ctf")];
  const landscaper = join(root, "libs/cli/src/main.ts");
  const printed = runCommand([process.execPath, landscaper, ...create, "--skip-external-digests"]);
  return printed.trimEnd().split("\n");
}
