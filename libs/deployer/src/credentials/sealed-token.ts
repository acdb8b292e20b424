import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";

/** A pair of X25519 keys: who has the public key can seal, who has the private key can unseal. */
export interface SealingKeys {
  /** SubjectPublicKeyInfo (DER) in base64. */
  readonly publicKey: string;
  /** PKCS #8 in PEM. Secret. */
  readonly privateKey: string;
}

const spki = { type: "spki", format: "der" } as const;
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const cipher = "aes-256-gcm";
const [keyLength, nonceLength, tagLength] = [32, 12, 16];
const prefix = "sealed-v1";

export function createSealingKeys(): SealingKeys {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  return {
    publicKey: publicKey.export(spki).toString("base64"),
    privateKey: privateKey.export(pkcs8).toString(),
  };
}

/** The public key that belongs to a private one; undefined when the text is no X25519 key in PEM. */
export function sealingKeyOf(privateKey: string | undefined): string | undefined {
  if (privateKey === undefined) return undefined;
  try {
    const key = createPublicKey(createPrivateKey(privateKey));
    return key.asymmetricKeyType === "x25519" ? key.export(spki).toString("base64") : undefined;
  } catch {
    return undefined;
  }
}

/** Tells keys apart. */
function idOf(publicKey: string): string {
  return createHash("sha256").update(publicKey).digest().subarray(0, 12).toString("base64url");
}

/** Key and nonce of one sealed text: they are derived from a key pair that is used once. */
function derive(pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }, salt: string) {
  const secret = diffieHellman(pair);
  const bytes = Buffer.from(hkdfSync("sha256", secret, salt, `landscaper ${prefix}`, keyLength + nonceLength));
  return [bytes.subarray(0, keyLength), bytes.subarray(keyLength)] as const;
}

/**
 * A JSON Web Token whose signature only the owner of the key can read (docs/reference/deployer-management.md#sealed-tokens). Header and claims
 * stay as they are: without the signature no API server accepts them. Throws for a key that is no X25519 key.
 */
export function sealToken(token: string, publicKey: string): string {
  const recipient = createPublicKey({ key: Buffer.from(publicKey, "base64"), ...spki });
  const once = generateKeyPairSync("x25519");
  const { x: sender = "" } = once.publicKey.export({ format: "jwk" });
  const salt = `${sender}.${publicKey}`;
  const [key, nonce] = derive({ privateKey: once.privateKey, publicKey: recipient }, salt);
  const sealing = createCipheriv(cipher, key, nonce);
  const at = token.lastIndexOf(".") + 1;
  const sealed = Buffer.concat([sealing.update(token.slice(at), "utf8"), sealing.final(), sealing.getAuthTag()]);
  return `${token.slice(0, at)}${prefix}.${idOf(publicKey)}.${sender}.${sealed.toString("base64url")}`;
}

/** Whether the token is sealed for the key; a plain token without a key. */
export function isSealedFor(token: string, publicKey: string | undefined): boolean {
  if (publicKey === undefined) return !hasSealedToken(token);
  return token.includes(`${prefix}.${idOf(publicKey)}.`);
}

/** Whether there may be a sealed token in the text. */
export function hasSealedToken(text: string): boolean {
  return text.includes(`${prefix}.`);
}

export interface Unsealed {
  readonly text: string;
  /** What was sealed. Secret. */
  readonly secrets: readonly string[];
}

/** The text with each sealed token in it unsealed; those of another key, and what was changed, stay as they are. */
export function unsealTokens(text: string, privateKey: string): Unsealed {
  const publicKey = sealingKeyOf(privateKey);
  if (publicKey === undefined || !isSealedFor(text, publicKey)) return { text, secrets: [] };
  const own = createPrivateKey(privateKey);
  const secrets: string[] = [];
  const pattern = new RegExp(`${prefix}\\.${idOf(publicKey)}\\.([\\w-]{43})\\.([\\w-]{22,})`, "g");
  const unsealed = text.replaceAll(pattern, (whole, sender: string, sealed: string) => {
    const secret = open({ own, sender, salt: `${sender}.${publicKey}` }, Buffer.from(sealed, "base64url"));
    if (secret === undefined) return whole;
    secrets.push(secret);
    return secret;
  });
  return { text: unsealed, secrets };
}

interface Opening {
  readonly own: KeyObject;
  readonly sender: string;
  readonly salt: string;
}

/** Undefined when it is not what was sealed. */
function open({ own, sender, salt }: Opening, sealed: Buffer): string | undefined {
  try {
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "X25519", x: sender }, format: "jwk" });
    const [key, nonce] = derive({ privateKey: own, publicKey }, salt);
    const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagLength });
    opening.setAuthTag(sealed.subarray(-tagLength));
    return Buffer.concat([opening.update(sealed.subarray(0, -tagLength)), opening.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
