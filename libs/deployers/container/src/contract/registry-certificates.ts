import { createParser } from "@landscaper/api";
import { Type, type Static } from "typebox";
import { readJson } from "./state-index.ts";

const pem = (description: string) => Type.String({ minLength: 1, description });

/** `certificates.json` beside `configuration.json`: what init needs to reach registries, by host and port as URLs have them. The keys are secret. */
const registryCertificatesSchema = Type.Record(
  Type.String(),
  Type.Object({
    ca: Type.Optional(pem("Authorities that are trusted for the host beside the usual ones.")),
    client: Type.Optional(Type.Object({ cert: pem("Certificate of the client."), key: pem("Its key.") })),
  }),
);
export type RegistryCertificates = Static<typeof registryCertificatesSchema>;

const parse = createParser<RegistryCertificates>(registryCertificatesSchema, "file of certificates");

/** Throws LandscaperError. */
export function parseRegistryCertificates(text: string, where: string): RegistryCertificates {
  return parse(readJson(text), where);
}
