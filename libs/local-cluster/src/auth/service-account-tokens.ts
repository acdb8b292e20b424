import { randomUUID } from "node:crypto";
import { fieldAt, listAt, numberAt, stringAt } from "../objects/json.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Store } from "../storage/store.ts";
import type { Claims, SigningKey } from "./jwt.ts";
import { createSigningKey, signJwt, verifyJwt } from "./jwt.ts";
import type { User } from "./user.ts";

/** Issuer of tokens and the audience that the API itself accepts. */
export const apiAudience = "https://kubernetes.default.svc";

/** An object that a token dies with. */
export interface BoundObject {
  readonly kind: "Pod" | "Secret";
  readonly name: string;
  readonly uid: string;
}

export interface TokenGrant {
  readonly serviceAccount: StoredObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundTo?: BoundObject | undefined;
}

/** Issues and checks the tokens of service accounts. */
export class ServiceAccountTokens {
  readonly #key: SigningKey = createSigningKey();
  readonly #store: Store;
  readonly #now: () => number;
  /** Signatures that have been checked: the expensive part of a check. */
  readonly #verified = new Map<string, Claims>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** A token with an end, as TokenRequest gives. */
  issue({ serviceAccount, audiences, expirationSeconds, boundTo }: TokenGrant): string {
    const seconds = Math.floor(this.#now() / 1000);
    const { namespace, name, uid } = serviceAccount;
    return signJwt(this.#key, {
      aud: audiences,
      exp: seconds + expirationSeconds,
      iat: seconds,
      iss: apiAudience,
      jti: randomUUID(),
      "kubernetes.io": {
        namespace,
        ...(boundTo === undefined ? {} : { [boundTo.kind.toLowerCase()]: { name: boundTo.name, uid: boundTo.uid } }),
        serviceaccount: { name, uid },
      },
      nbf: seconds,
      sub: subjectOf(serviceAccount),
    });
  }

  /** A token without an end, as secrets of type kubernetes.io/service-account-token hold. */
  issueForSecret(serviceAccount: StoredObject, secretName: string): string {
    const { namespace, name, uid } = serviceAccount;
    return signJwt(this.#key, {
      iss: "kubernetes/serviceaccount",
      "kubernetes.io/serviceaccount/namespace": namespace,
      "kubernetes.io/serviceaccount/secret.name": secretName,
      "kubernetes.io/serviceaccount/service-account.name": name,
      "kubernetes.io/serviceaccount/service-account.uid": uid,
      sub: subjectOf(serviceAccount),
    });
  }

  /** Who holds the token; undefined when it is not ours, has ended, or its account, secret or pod is gone. */
  check(token: string, audience: string = apiAudience): User | undefined {
    const claims = this.#verify(token);
    if (claims === undefined) return undefined;
    return claims["iss"] === apiAudience ? this.#checkBound(claims, audience) : this.#checkLegacy(claims, token);
  }

  #verify(token: string): Claims | undefined {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    const claims = verifyJwt(this.#key, token);
    if (claims !== undefined) {
      if (this.#verified.size >= 10_000) this.#verified.clear();
      this.#verified.set(token, claims);
    }
    return claims;
  }

  #checkBound(claims: Claims, audience: string): User | undefined {
    const seconds = this.#now() / 1000;
    if ((numberAt(claims, "exp") ?? 0) <= seconds || !listAt(claims, "aud").includes(audience)) return undefined;
    const details = fieldAt(claims, "kubernetes.io");
    const namespace = stringAt(details, "namespace");
    for (const kind of ["pod", "secret"] as const) {
      const uid = stringAt(details, kind, "uid");
      const name = stringAt(details, kind, "name");
      if (uid !== "" && this.#store.collection(`${kind}s`).get(namespace, name)?.uid !== uid) return undefined;
    }
    return this.#account(namespace, {
      name: stringAt(details, "serviceaccount", "name"),
      uid: stringAt(details, "serviceaccount", "uid"),
      credentialId: `JTI=${stringAt(claims, "jti")}`,
    });
  }

  #checkLegacy(claims: Claims, token: string): User | undefined {
    const prefix = "kubernetes.io/serviceaccount/";
    const namespace = stringAt(claims, `${prefix}namespace`);
    const secret = this.#store.collection("secrets").get(namespace, stringAt(claims, `${prefix}secret.name`));
    const held = Buffer.from(stringAt(secret?.object, "data", "token"), "base64").toString();
    if (held !== token) return undefined;
    return this.#account(namespace, {
      name: stringAt(claims, `${prefix}service-account.name`),
      uid: stringAt(claims, `${prefix}service-account.uid`),
    });
  }

  #account(
    namespace: string,
    account: { readonly name: string; readonly uid: string; readonly credentialId?: string },
  ): User | undefined {
    const found = this.#store.collection("serviceaccounts").get(namespace, account.name);
    if (found === undefined || found.uid !== account.uid) return undefined;
    const { credentialId } = account;
    return {
      name: subjectOf(found),
      uid: found.uid,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
      ...(credentialId === undefined
        ? {}
        : { extra: { "authentication.kubernetes.io/credential-id": [credentialId] } }),
    };
  }
}

function subjectOf({ namespace, name }: StoredObject): string {
  return `system:serviceaccount:${namespace}:${name}`;
}
