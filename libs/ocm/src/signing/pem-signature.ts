import { decodePemBlocks, encodePem } from "@landscaper/x509";
import { ocmError } from "../ocm-error.ts";

const algorithmHeader = "Signature Algorithm";

/** What a signature of the media type `application/x-pem-file` holds. */
export interface PemSignature {
  /** Of the header; undefined where there is none. */
  readonly algorithm: string | undefined;
  readonly value: Buffer;
  /** DER, the signer's first. */
  readonly certificates: readonly Buffer[];
}

/** Reads a SIGNATURE block and the certificates behind it (docs/reference/components.md#signatures). Throws LandscaperError; `where` begins the message. */
export function parsePemSignature(text: string, where: string): PemSignature {
  const blocks = [...decodePemBlocks(text)];
  const signatures = blocks.filter(({ type }) => type === "SIGNATURE");
  const [signature] = signatures;
  if (signature === undefined || signatures.length > 1) {
    throw ocmError(`${where}: expected one PEM block SIGNATURE, found ${signatures.length}`);
  }
  return {
    algorithm: signature.headers[algorithmHeader],
    value: signature.der,
    certificates: blocks.filter(({ type }) => type === "CERTIFICATE").map(({ der }) => der),
  };
}

/** The text that `parsePemSignature` reads. */
export function formatPemSignature({ algorithm, value, certificates }: PemSignature): string {
  const headers = algorithm === undefined ? {} : { [algorithmHeader]: algorithm };
  return [encodePem("SIGNATURE", value, headers), ...certificates.map((der) => encodePem("CERTIFICATE", der))].join("");
}
