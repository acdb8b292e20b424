import { signComponent } from "@landscaper/components";
import { componentText, normalisations, signatureAlgorithms, type SignatureAlgorithm } from "@landscaper/ocm";
import { flagOption, textOption, type CommandInput, type CommandRun } from "../command.ts";
import { readTextFile } from "../read-text-file.ts";
import { InvocationError } from "../usage-error.ts";
import {
  fileOption,
  locationOf,
  openTarget,
  registriesOf,
  requiredOption,
  selectVersion,
  withComponents,
} from "./open-component.ts";

/** Adds a signature to a component version where it lies, with the digests that it covers. */
export const runSign: CommandRun = async (input, context) => {
  const location = locationOf(input);
  const name = requiredOption(input, "signature", "--signature: expected the name of the signature");
  const keyFile = requiredOption(input, "privateKey", "--private-key: expected a file with the key of the signer");
  const algorithm = choice<SignatureAlgorithm>(input, "algorithm", signatureAlgorithms) ?? "RSASSA-PKCS1-V1_5";
  const normalisation = choice(input, "normalisation", normalisations) ?? "jsonNormalisation/v3";
  const hash = choice(input, "hash", ["SHA-256", "SHA-512"]) ?? "SHA-256";
  const keys = {
    privateKey: readTextFile(keyFile, "--private-key"),
    certificates: fileOption(input, "certificate", "--certificate"),
  };
  await withComponents(input, context, async (components) => {
    const component = await selectVersion(await components.open(location.repository), location, context);
    const target = await openTarget(components, location.repository);
    const changed = await signComponent(component, target, {
      ...keys,
      name,
      algorithm,
      normalisationAlgorithm: normalisation,
      hashAlgorithm: hash,
      overwrite: flagOption(input, "overwrite"),
      resolveArtifact: registriesOf(components, [location.repository]).resolveArtifact,
      fetchChart: components.fetchChart,
      signal: context.signal,
    });
    const signed = componentText(component);
    for (const other of changed.map(componentText)) {
      if (other !== signed) context.write(`digests filled in: component ${other}\n`);
    }
    context.write(`signed: component ${signed}: signature "${name}"\n`);
  });
};

function choice<T extends string>(input: CommandInput, name: string, allowed: readonly T[]): T | undefined {
  const value = textOption(input, name);
  const found = allowed.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw new InvocationError(`--${name}: expected one of ${allowed.join(", ")}, found "${value}"`);
}
