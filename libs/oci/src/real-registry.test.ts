import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { hashSync } from "bcryptjs";
import type { CredentialEntry } from "./credentials/credential.ts";
import { mediaTypes } from "./content/descriptor.ts";
import { digestOf } from "./content/digest.ts";
import { parseImageManifest } from "./content/image-manifest.ts";
import { formatReference, parseReference, type ImageReference } from "./reference.ts";
import { createRegistryClient, type RegistryClient, type RegistryClientOptions } from "./registry-client.ts";
import type { RegistrySession } from "./registry-session.ts";
import { startTestRegistry, type TestRegistry, type TestRegistryOptions } from "../test/index.ts";

const { signal } = new AbortController();
const authority = createCertificateAuthority("registry authority", Date.now);
const { cert, key } = authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] });
const password = "hunter2";
const htpasswd = `me:${hashSync(password, 4).replace("$2b$", "$2y$")}\n`;

interface Case {
  readonly name: string;
  readonly registry: TestRegistryOptions;
  readonly scheme: "http" | "https";
  readonly options: Partial<RegistryClientOptions>;
  readonly credential: CredentialEntry["credential"];
}

const cases: readonly Case[] = [
  { name: "plain http", registry: {}, scheme: "http", options: {}, credential: {} },
  {
    name: "http with a password",
    registry: { htpasswd },
    scheme: "http",
    options: {},
    credential: { username: "me", password },
  },
  {
    name: "TLS with an authority of the credential",
    registry: { tls: { cert, key }, htpasswd },
    scheme: "https",
    options: {},
    credential: { username: "me", password, certificateAuthority: authority.cert },
  },
  {
    name: "TLS with an authority of the configuration",
    registry: { tls: { cert, key } },
    scheme: "https",
    options: { ca: authority.cert },
    credential: {},
  },
  {
    name: "TLS that is not checked",
    registry: { tls: { cert, key } },
    scheme: "https",
    options: { insecureSkipVerify: true },
    credential: {},
  },
];

describeUnless(programAbsence("docker-registry"), describe)("a real registry", () => {
  describe.each(cases)("with $name", ({ registry: registryOptions, scheme, options, credential }) => {
    let registry: TestRegistry;
    let client: RegistryClient;
    let session: RegistrySession;
    let reference: ImageReference;

    beforeAll(async () => {
      registry = await startTestRegistry(registryOptions);
      client = createRegistryClient({ userAgent: "test", retries: 1, retryPauseMs: 5, ...options });
      session = client.session([{ host: registry.host, path: "team", credential }]);
      reference = parseReference(`${scheme}://${registry.host}/team/app:1.0.0`);
    });

    afterAll(async () => {
      await client?.close();
      await registry?.stop();
    });

    it("returns what was pushed", async () => {
      const layer = randomBytes(300_000);
      const config = await session.pushBlob(reference, Buffer.from("{}"), { signal });
      const pushed = await session.pushBlob(reference, layer, { signal });
      await session.pushBlob(reference, layer, { signal });
      const bytes = Buffer.from(
        JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers: [pushed] }),
      );
      const stored = await session.pushManifest(reference, { bytes, mediaType: mediaTypes.ociManifest }, { signal });
      expect(await session.resolve(reference, { signal })).toEqual(stored);

      const manifest = await session.fetchManifest({ ...reference, digest: stored.digest }, { signal });
      const image = parseImageManifest(manifest, formatReference(reference));
      expect(image.layers).toEqual([pushed]);
      const blob = await session.fetchBlob(reference, pushed, { signal });
      expect(digestOf(blob)).toBe(digestOf(layer));
    });

    it("takes a blob in parts, and does not read one that it has", async () => {
      const whole = randomBytes(20 * 1024 * 1024 + 7);
      const parts = async function* (): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < whole.length; at += 70_000) yield whole.subarray(at, at + 70_000);
      };
      const pushed = await session.pushStream(reference, parts(), { signal });
      expect(pushed).toMatchObject({ digest: digestOf(whole), size: whole.length });
      expect(digestOf(await session.fetchBlob(reference, pushed, { signal }))).toBe(pushed.digest);
      const unread: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({ next: async () => Promise.reject(new Error("it was read")) }),
      };
      const { digest } = pushed;
      expect(await session.pushStream(reference, unread, { signal, digest })).toEqual(pushed);
      const other = digestOf(Buffer.from("other"));
      await expect(session.pushStream(reference, parts(), { signal, digest: other })).rejects.toMatchObject({
        reason: "DigestMismatch",
        message: `${registry.host}/team/app: expected digest ${other}, found ${digest}`,
      });
    });

    it("lists tags", async () => {
      const tags = Array.from({ length: 105 }, (_, index) => `v${String(index).padStart(3, "0")}`);
      const repository = { ...reference, repository: "team/many" };
      const config = await session.pushBlob(repository, Buffer.from("{}"), { signal });
      const bytes = Buffer.from(
        JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers: [] }),
      );
      for (const tag of tags) {
        await session.pushManifest({ ...repository, tag }, { bytes, mediaType: mediaTypes.ociManifest }, { signal });
      }
      const found = await session.listTags(repository, { signal });
      expect(found.toSorted()).toEqual(tags);
    });

    it("says what is not there", async () => {
      const absent = session.fetchManifest({ ...reference, tag: "absent" }, { signal });
      await expect(absent).rejects.toMatchObject({
        reason: "RegistryNotFound",
        message: expect.stringContaining("/v2/team/app/manifests/absent: not found (404): MANIFEST_UNKNOWN"),
      });
    });
  });

  it("refuses an unknown authority", async () => {
    const registry = await startTestRegistry({ tls: { cert, key } });
    const client = createRegistryClient({ userAgent: "test", retries: 0 });
    try {
      const work = client.session([]).listTags(parseReference(`https://${registry.host}/app`), { signal });
      await expect(work).rejects.toMatchObject({
        reason: "RegistryUnreachable",
        message: `https://${registry.host}/v2/app/tags/list: the server certificate is not signed by a trusted authority; set the certificate authority of the host's credentials`,
      });
    } finally {
      await client.close();
      await registry.stop();
    }
  });

  it("sends nothing in plain text to a registry whose certificate is not trusted, also where plain http is allowed", async () => {
    const registry = await startTestRegistry({ tls: { cert, key }, htpasswd });
    const client = createRegistryClient({ userAgent: "test", retries: 0, allowPlainHttp: true });
    try {
      const login = { host: registry.host, path: "", credential: { username: "me", password } };
      const work = client.session([login]).listTags(parseReference(`${registry.host}/app`), { signal });
      await expect(work).rejects.toMatchObject({
        reason: "RegistryUnreachable",
        message: expect.stringMatching(/^https:.*certificate/i),
      });
    } finally {
      await client.close();
      await registry.stop();
    }
  });

  it("refuses a wrong password without repeating it", async () => {
    const registry = await startTestRegistry({ htpasswd });
    const client = createRegistryClient({ userAgent: "test", retries: 0 });
    try {
      const wrong = { host: registry.host, path: "", credential: { username: "me", password: "not-hunter2" } };
      const work = client.session([wrong]).listTags(parseReference(`http://${registry.host}/app`), { signal });
      await expect(work).rejects.toMatchObject({
        reason: "RegistryUnauthorized",
        message: expect.not.stringContaining("hunter2"),
      });
    } finally {
      await client.close();
      await registry.stop();
    }
  });
});
