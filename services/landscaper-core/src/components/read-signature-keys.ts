import { kubeResources, LandscaperError, type Context } from "@landscaper/api";
import { prerequisiteError } from "@landscaper/blueprint";
import type { WantedSignature } from "@landscaper/components";
import { parseCertificates, readPublicKey } from "@landscaper/ocm";
import type { SettingsReader } from "./component-settings.ts";

type KeyReference = NonNullable<NonNullable<Context["verificationSignatures"]>[string]["publicKeySecretReference"]>;

export interface KeyReader extends SettingsReader {
  /** Namespaces beside that of the Context whose Secrets may be named (`signatureVerification.secretNamespaces`). */
  readonly secretNamespaces: readonly string[];
}

/**
 * What the Context trusts a signature by (docs/reference/components.md#verification). Throws LandscaperError that names Context, Secret and key, and nothing of what is in them.
 */
export async function readSignatureKeys(
  signatureName: string,
  context: Context,
  reader: KeyReader,
): Promise<WantedSignature> {
  const field = `Context "${context.metadata.name}": verificationSignatures`;
  const entries = context.verificationSignatures ?? {};
  if (!Object.hasOwn(entries, signatureName)) {
    const known = Object.keys(entries).map((name) => `"${name}"`);
    throw keyError(
      `${field}: there is no entry "${signatureName}", found ${known.length === 0 ? "none" : known.join(", ")}`,
    );
  }
  const where = `${field}.${signatureName}`;
  const { publicKeySecretReference: key, caCertificateSecretReference: ca } = entries[signatureName] ?? {};
  if (key === undefined && ca === undefined) {
    throw keyError(`${where}: expected publicKeySecretReference or caCertificateSecretReference`);
  }
  const read = async (reference: KeyReference | undefined, name: string): Promise<SecretText | undefined> =>
    reference === undefined ? undefined : await readText(reference, `${where}.${name}`, { ...reader, context });
  const publicKey = await read(key, "publicKeySecretReference");
  const authorities = await read(ca, "caCertificateSecretReference");
  try {
    if (publicKey !== undefined) readPublicKey(publicKey.text, publicKey.place);
    if (authorities !== undefined) parseCertificates(authorities.text, authorities.place);
  } catch (error) {
    throw error instanceof LandscaperError ? keyError(error.message) : error;
  }
  return { signatureName, keys: { publicKey: publicKey?.text, authorities: authorities?.text } };
}

interface SecretText {
  readonly text: string;
  readonly place: string;
}

async function readText(
  { name, namespace: named = "", key: wanted = "" }: KeyReference,
  where: string,
  { client, signal, secretNamespaces, context }: KeyReader & { readonly context: Context },
): Promise<SecretText> {
  const own = context.metadata.namespace ?? "";
  const namespace = named === "" ? own : named;
  if (namespace !== own && !secretNamespaces.includes(namespace)) {
    throw keyError(
      `${where}: namespace "${namespace}": Secrets of other namespaces are read only where signatureVerification.secretNamespaces of landscaper-core lists the namespace`,
    );
  }
  const place = `${where}: Secret ${namespace}/${name}`;
  const secret = await client.find(kubeResources.secret, { namespace, name }, { signal });
  if (secret === undefined) throw keyError(`${place} was not found`);
  const data = secret.data ?? {};
  const [only = "", ...others] = Object.keys(data);
  const key = wanted === "" ? only : wanted;
  if (wanted === "" && (only === "" || others.length > 0)) {
    throw keyError(
      `${place}: expected one entry, or its name in "key", found ${others.length + (only === "" ? 0 : 1)}`,
    );
  }
  if (!Object.hasOwn(data, key)) throw keyError(`${place} has no entry "${key}"`);
  return { text: Buffer.from(data[key] ?? "", "base64").toString("utf8"), place: `${place}: entry "${key}"` };
}

function keyError(message: string): LandscaperError {
  return prerequisiteError(message, "ExtractVerifyInfo", "correct it and trigger the installation again");
}
