export { createCertificate, type CertificateRequest, type Issuer } from "./create-certificate.ts";
export type { ExtendedKeyUsage, KeyUsage } from "./key-usage.ts";
export {
  createKey,
  type CreateKey,
  type EllipticCurve,
  type KeyKind,
  keyWorkMs,
  readingWorkMs,
  signatureWorkMs,
} from "./key-kind.ts";
export type { Name } from "./name.ts";
export { decodePem, decodePemBlocks, encodePem, type PemBlock } from "./pem.ts";
export { parsePrivateKey, privateKeyPem } from "./private-key.ts";
export { parsePublicKey, publicKeyPem, sshPublicKey } from "./public-key.ts";
export { parseCertificate, type Certificate } from "./read-certificate.ts";
export { ipBytes } from "./ip-bytes.ts";
export { createWireguardKey, wireguardPublicKey } from "./wireguard-key.ts";
export { X509Error } from "./x509-error.ts";
