import { verifyComponent } from "@landscaper/components";
import { textOption, type CommandRun } from "../command.ts";
import { InvocationError } from "../usage-error.ts";
import { fileOption, findComponent, locationOf, registriesOf, withComponents } from "./open-component.ts";

/** Checks a signature and everything that it covers; what cannot be read is listed. */
export const runVerify: CommandRun = async (input, context) => {
  const location = locationOf(input);
  const signatureName = textOption(input, "signature");
  if (signatureName === undefined) throw new InvocationError("--signature: expected the name of a signature");
  const keys = {
    publicKey: fileOption(input, "publicKey", "--public-key"),
    authorities: fileOption(input, "ca", "--ca"),
  };
  if (keys.publicKey === undefined && keys.authorities === undefined) {
    throw new InvocationError("expected --public-key FILE or --ca FILE: what the signature is trusted by");
  }
  await withComponents(input, context, async (components) => {
    const { repository, found } = await findComponent(components, location, context);
    const {
      components: verified,
      resources,
      unread,
    } = await verifyComponent(found, {
      signatureName,
      keys,
      signal: context.signal,
      find: async (component, options) => await repository.find(component, options),
      resolveArtifact: registriesOf(components, [location.repository]).resolveArtifact,
      fetchChart: components.fetchChart,
    });
    for (const { name, version } of verified) context.write(`verified: component ${name}:${version}\n`);
    for (const resource of resources) context.write(`verified: ${resource}\n`);
    for (const { resource, reason } of unread) context.write(`not read: ${resource}: ${reason}\n`);
  });
};
