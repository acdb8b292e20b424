import {
  parseComponentLocation,
  transferComponents,
  type ComponentLocation,
  type TransferOptions,
} from "@landscaper/components";
import { flagOption, type CommandContext, type CommandInput, type CommandRun } from "../command.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import {
  findComponent,
  isFolder,
  openTarget,
  registriesOf,
  registrySpec,
  withComponents,
  type Components,
} from "./open-component.ts";

/** Copies a component version into another repository. */
export const runTransfer: CommandRun = async (input, context) => await transfer(input, context, placesOf(input));

/** The same into a registry. */
export const runPush: CommandRun = async (input, context) => {
  const places = placesOf(input);
  if (isFolder(places.to)) throw new UsageError(`${places.to}: expected a registry; transfer writes into files`);
  await transfer(input, context, places);
};

interface Places {
  readonly location: ComponentLocation;
  readonly to: string;
}

function placesOf({ args }: CommandInput): Places {
  const [from, to, ...others] = args;
  if (from === undefined || to === undefined || others.length > 0) {
    throw new InvocationError(
      `expected REPOSITORY//COMPONENT[:VERSION] and REPOSITORY, found ${args.length} arguments`,
    );
  }
  return { location: parseComponentLocation(from), to };
}

async function transfer(input: CommandInput, context: CommandContext, places: Places): Promise<void> {
  await withComponents(input, context, async (components) => {
    await copyComponent(components, places, {
      recursive: flagOption(input, "recursive"),
      copyResources: flagOption(input, "copyResources"),
      overwrite: flagOption(input, "overwrite"),
      context,
    });
  });
}

/** Copies a component version, and says so of each. */
export async function copyComponent(
  components: Components,
  { location, to }: Places,
  {
    context,
    ...options
  }: Pick<TransferOptions, "recursive" | "copyResources" | "overwrite"> & {
    readonly context: CommandContext;
  },
): Promise<void> {
  const target = await openTarget(components, to);
  const { repository, found } = await findComponent(components, location, context);
  const transferred = await transferComponents(
    found,
    { from: repository, to: target },
    {
      ...options,
      origin: isFolder(location.repository) ? undefined : registrySpec(location.repository),
      openRegistry: registriesOf(components, [location.repository, to]).openRegistry,
      signal: context.signal,
    },
  );
  for (const { name, version, outcome } of transferred) {
    context.write(`${outcome === "copied" ? "copied" : "there already"}: component ${name}:${version}\n`);
  }
}
