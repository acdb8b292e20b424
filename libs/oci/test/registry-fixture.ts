// Sessions with registries that answer by a script.
import { afterEach } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import type { CredentialEntry } from "../src/credentials/credential.ts";
import { mediaTypes } from "../src/content/descriptor.ts";
import { digestOf } from "../src/content/digest.ts";
import { createRegistryClient, type RegistryClientOptions } from "../src/registry-client.ts";
import type { RegistrySession } from "../src/registry-session.ts";
import { startScriptedRegistry, type Script, type ScriptedRegistry } from "./scripted-registry.ts";

const closers: (() => Promise<void>)[] = [];

/** For each test file: it calls this once. */
export function useRegistryFixture(): void {
  afterEach(async () => {
    await Promise.all(closers.splice(0).map(async (close) => close()));
  });
}

export const signal: AbortSignal = new AbortController().signal;
export const manifest = Buffer.from(
  JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, layers: [] }),
);

export async function script(answer: Script): Promise<ScriptedRegistry> {
  const registry = await startScriptedRegistry(answer);
  closers.push(async () => registry.stop());
  return registry;
}

export function open(
  credentials: readonly CredentialEntry[] = [],
  options: Partial<RegistryClientOptions> = {},
): RegistrySession {
  const client = createRegistryClient({ userAgent: "test", retries: 2, retryPauseMs: 5, ...options });
  closers.push(async () => client.close());
  return client.session(credentials);
}

export function login(host: string): CredentialEntry {
  return { host, path: "", credential: { username: "me", password: "hunter2" } };
}

export function sendManifest(response: Parameters<Script>[1], bytes: Uint8Array = manifest): void {
  const headers = { "content-type": mediaTypes.ociManifest, "docker-content-digest": digestOf(bytes) };
  response.writeHead(200, headers).end(bytes);
}

export async function failure(work: Promise<unknown>): Promise<LandscaperError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof LandscaperError) return error;
  throw new Error(`expected a LandscaperError, found ${String(error)}`);
}
