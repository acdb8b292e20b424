import { dockerSave } from "./docker-archive.ts";
import { buildahBuild, type BuildahOptions, buildahSave, type BuildOptions, dockerBuild } from "./engine-commands.ts";
import { runCommand, tryCommand } from "../run-command.ts";

/** What builds images. */
export interface ImageEngine {
  /** Whether it makes a base image for another architecture than the machine's. */
  readonly buildsForOthers: boolean;
  build(options: BuildOptions): void;
  /** Writes an image as an OCI archive; `reference` is its tag in there. */
  save(tag: string, to: { readonly file: string; readonly reference: string }): void;
}

export interface EngineOptions {
  /** Of the repository. */
  readonly root: string;
  /** Where buildah keeps images. */
  readonly storage: string;
  readonly announce: (line: string) => void;
}

/** Whether a network namespace can be had; if not, builds are only asked to use no network. */
const canIsolate = (): boolean => tryCommand(["unshare", "--net", "--", "true"]) !== undefined;

/** Returns buildah, or docker if buildah is missing. Throws an error if both are missing. */
export function findEngine({ root, storage, announce }: EngineOptions): ImageEngine {
  if (tryCommand(["buildah", "--version"]) !== undefined) {
    const options: BuildahOptions = { storage, isolated: canIsolate() };
    if (!options.isolated) announce("warning: no network namespace of our own: the builds could use the network");
    return {
      buildsForOthers: true,
      build: (build) => void runCommand(buildahBuild(options, build), { cwd: root }),
      save: (tag, to) => void runCommand(buildahSave(options, tag, to)),
    };
  }
  if (tryCommand(["docker", "version"]) === undefined) {
    throw new Error("expected buildah, or docker with its daemon, to build images; found neither");
  }
  announce(
    "warning: buildah is missing: docker builds other layers each time, because it does not set the times of files",
  );
  return {
    buildsForOthers: false,
    build: (build) => void runCommand(dockerBuild(build), { cwd: root }),
    save: dockerSave,
  };
}
