import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The flags of Node in a Dockerfile's entry point: between `node` and the program. */
export function nodeFlagsIn(dockerfile: string): string[] {
  const words = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? "[]") as readonly string[];
  const program = words.findIndex((word) => word.endsWith(".mjs"));
  if (words[0] !== "node" || program < 0) {
    throw new Error(
      `entry point of the image: expected ["node", FLAGS..., PROGRAM.mjs, ...], found ${JSON.stringify(words)}`,
    );
  }
  return words.slice(1, program);
}

/** The flags of Node that the image of a service sets. */
export function nodeFlagsOf(service: string): string[] {
  return nodeFlagsIn(readFileSync(join(import.meta.dirname, "../../../services", service, "Dockerfile"), "utf8"));
}
