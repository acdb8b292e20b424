import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { downloadResource } from "@landscaper/components";
import { flagOption, type CommandRun } from "../command.ts";
import { isRaw } from "../output/raw-option.ts";
import { InvocationError } from "../usage-error.ts";
import {
  findComponent,
  locationOf,
  parseSelector,
  registriesOf,
  requiredOption,
  withComponents,
} from "./open-component.ts";

/** Writes the content of a resource into a file or to stdout, or the files of an archive into a folder. */
export const runDownload: CommandRun = async (input, context) => {
  const location = locationOf(input);
  const selector = parseSelector(requiredOption(input, "resource", "--resource: expected the name of a resource"));
  const output = requiredOption(input, "output", "--output: expected a file, - for stdout, or a folder with --unpack");
  const isPrinted = output === "-";
  const unpack = flagOption(input, "unpack");
  if (isPrinted && unpack) throw new InvocationError("--output: expected a folder with --unpack, found -");
  await withComponents(input, context, async (components) => {
    const { found } = await findComponent(components, location, context);
    const download = async (path: string): Promise<void> =>
      await downloadResource(found, {
        selector,
        output: path,
        unpack,
        overwrite: flagOption(input, "overwrite"),
        openRegistry: registriesOf(components, [location.repository]).openRegistry,
        fetchChart: components.fetchChart,
        signal: context.signal,
      });
    if (isPrinted) {
      await throughFile(download, async (content) => context.writeBytes(content, { isRaw: isRaw(input) }));
      return;
    }
    await download(output);
    context.write(`written: ${output}\n`);
  });
};

/** Downloads into a temporary file and then passes its content to `use`. Digests are verified only at the end of the content, so nothing may be printed earlier. */
async function throughFile(
  download: (path: string) => Promise<void>,
  use: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "landscaper-download-"));
  try {
    const file = join(folder, "content");
    await download(file);
    await use(createReadStream(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
