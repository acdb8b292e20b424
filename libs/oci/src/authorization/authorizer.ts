import { parseJson } from "@landscaper/json";
import { hintFor, unauthorizedText } from "../answer-error.ts";
import { parseChallenge, type Challenge } from "./challenge.ts";
import { basicPair, credentialSecrets, type Credential } from "../credentials/credential.ts";
import { isObject } from "../content/image-manifest.ts";
import { ociError } from "../oci-error.ts";
import { readBody } from "../read-body.ts";
import { connectionSecrets, maskFailure } from "@landscaper/egress";
import { checkRealm, type TokenRealms } from "./token-realms.ts";
import { discard, placeOf, type Transport, type TransportAnswer, type TransportRequest } from "../transport.ts";

/** Who asks for what. */
export interface Access {
  /** `https://host:port` of the registry. */
  readonly origin: string;
  readonly repository: string;
  readonly actions: "pull" | "pull,push";
  readonly credential: Credential | undefined;
  /** Where it was read. */
  readonly from?: string | undefined;
}

export interface Authorizer {
  /** Sends with credentials; after a 401 it answers the challenge and sends once more. */
  send(request: TransportRequest, access: Access): Promise<TransportAnswer>;
}

interface Token {
  readonly header: string;
  readonly expiresAt: number;
}

const defaultLifetimeSeconds = 60;
/** A token is not used in its last seconds: the request takes time, clocks differ. */
const marginMs = 10_000;
const maxTokenAnswerBytes = 1024 * 1024;
const maxTokens = 10_000;

/**
 * The token protocol of registries (ocm.md §8): none, Basic, Bearer by GET with Basic or by POST with a refresh token, a fixed Bearer
 * token. Tokens are kept per registry, scope and credential until they expire.
 */
export function createAuthorizer(
  transport: Transport,
  { now, tokenRealms }: { readonly now: () => number; readonly tokenRealms?: TokenRealms | undefined },
): Authorizer {
  const challenges = new Map<string, Challenge>();
  const tokens = new Map<string, Token>();
  const keyOf = ({ origin, repository, actions, credential }: Access): string =>
    JSON.stringify([origin, repository, actions, credential ?? null]);

  async function headerFor(access: Access, request: TransportRequest): Promise<string | undefined> {
    const { credential, origin } = access;
    if (credential?.registryToken !== undefined) return `Bearer ${credential.registryToken}`;
    const challenge = challenges.get(origin);
    if (challenge === undefined) return undefined;
    if (challenge.type === "basic") return basicHeader(credential);
    const key = keyOf(access);
    const known = tokens.get(key);
    if (known !== undefined && known.expiresAt - marginMs > now()) return known.header;
    const token = await fetchToken(challenge, access, request);
    for (const oldest of [...tokens.keys()].slice(0, Math.max(0, tokens.size - maxTokens + 1))) tokens.delete(oldest);
    tokens.set(key, token);
    return token.header;
  }

  async function fetchToken(
    challenge: Challenge & { type: "bearer" },
    access: Access,
    { signal }: TransportRequest,
  ): Promise<Token> {
    const realm = readRealm(challenge.realm, access.origin);
    if (hasSecret(access.credential)) checkRealm(realm, { origin: access.origin, tokenRealms });
    const ca = realm.origin === access.origin ? access.credential?.certificateAuthority : undefined;
    const place = `${placeOf(realm)} (tokens of ${new URL(access.origin).host}/${access.repository})`;
    const answer = await transport.send({ ...tokenRequest(realm, challenge, access), ca, signal });
    if (answer.status !== 200) {
      await discard(answer);
      throw tokenRefused(place, answer.status, access);
    }
    return readToken(await readBody(answer, { limit: maxTokenAnswerBytes, place, signal }), { place, now: now() });
  }

  const sendAuthorized: Authorizer["send"] = async (request, access) => {
    const attempt = async (): Promise<{ answer: TransportAnswer; sent: string | undefined }> => {
      const sent = await headerFor(access, request);
      const headers = { ...request.headers, ...(sent === undefined ? {} : { authorization: sent }) };
      return { answer: await transport.send({ ...request, headers }), sent };
    };
    const first = await attempt();
    if (first.answer.status !== 401) return first.answer;
    const challenge = parseChallenge(first.answer.headers["www-authenticate"]);
    if (challenge === undefined || access.credential?.registryToken !== undefined) return first.answer;
    challenges.set(access.origin, challenge);
    tokens.delete(keyOf(access));
    const isHopeless = challenge.type === "basic" && basicHeader(access.credential) === first.sent;
    if (isHopeless) return first.answer;
    await discard(first.answer);
    return (await attempt()).answer;
  };
  return {
    async send(request, access) {
      try {
        return await sendAuthorized(request, access);
      } catch (error) {
        const token = tokens.get(keyOf(access))?.header;
        throw maskFailure(error, [...credentialSecrets(access.credential), ...connectionSecrets({ values: [token] })]);
      }
    },
  };
}

function basicHeader(credential: Credential | undefined): string | undefined {
  const pair = basicPair(credential);
  return pair === undefined ? undefined : `Basic ${pair}`;
}

function hasSecret(credential: Credential | undefined): boolean {
  return credential?.username !== undefined || credential?.identityToken !== undefined;
}

/** Credentials of a registry that speaks https go nowhere in plain text. */
function readRealm(realm: string, origin: string): URL {
  const url = URL.parse(realm, origin);
  const isAllowed = url?.protocol === "https:" || (url?.protocol === "http:" && origin.startsWith("http:"));
  if (url !== null && isAllowed) return url;
  // Of the realm nothing else is quoted: it is the registry's text.
  const found = url === null ? "no URL" : url.protocol === "http:" ? "http" : "another scheme";
  const message = `${origin}: expected an https URL as realm of its tokens, found ${found}`;
  throw ociError({ reason: "InvalidRegistryAnswer", message });
}

function tokenRequest(
  realm: URL,
  { service }: Challenge & { type: "bearer" },
  { repository, actions, credential }: Access,
): Omit<TransportRequest, "signal"> {
  const scope = `repository:${repository}:${actions}`;
  if (credential?.identityToken !== undefined) {
    const form = new URLSearchParams({
      grant_type: "refresh_token",
      ...(service === undefined ? {} : { service }),
      client_id: "landscaper",
      scope,
      refresh_token: credential.identityToken,
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { method: "POST", url: realm, headers, body: form.toString() };
  }
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set("service", service);
  url.searchParams.append("scope", scope);
  const authorization = basicHeader(credential);
  return { method: "GET", url, ...(authorization === undefined ? {} : { headers: { authorization } }) };
}

function readToken(bytes: Uint8Array, { place, now }: { place: string; now: number }): Token {
  let value: unknown;
  try {
    value = parseJson(Buffer.from(bytes).toString("utf8"));
  } catch {
    value = undefined;
  }
  const { token, access_token: accessToken, expires_in: expiresIn } = isObject(value) ? value : {};
  const text = typeof token === "string" && token !== "" ? token : accessToken;
  if (typeof text !== "string" || text === "" || /[\r\n]/.test(text)) {
    throw ociError({ reason: "InvalidRegistryAnswer", message: `${place}: expected JSON with a token` });
  }
  const seconds = typeof expiresIn === "number" && expiresIn > 0 ? expiresIn : defaultLifetimeSeconds;
  return { header: `Bearer ${text}`, expiresAt: now + seconds * 1000 };
}

function tokenRefused(place: string, status: number, { credential, from }: Access): Error {
  if (status === 401 || status === 403) {
    const hasCredential = credential !== undefined;
    const message = `${place}: ${unauthorizedText(status, { hasCredential, from })}`;
    return ociError({ reason: "RegistryUnauthorized", message, hint: hintFor(hasCredential) });
  }
  const reason = status === 429 || status >= 500 ? "RegistryUnavailable" : "InvalidRegistryAnswer";
  return ociError({ reason, message: `${place}: no token was given (${status})` });
}
