import type { Client } from "@landscaper/controller-runtime";
import type { Release } from "./profile.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Any object, as far as the kit looks at it. */
export interface PlainObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
}

/** Where an object is: an effect of a profile, its placeholders filled in. */
export interface ObjectPlace {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Where the object of a release goes. */
export function placeOfRelease({ resource, object: { apiVersion, metadata } }: Release): ObjectPlace {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return { apiVersion, resource, namespace: text(metadata["namespace"]), name: text(metadata["name"]) };
}

/** What a message calls it. */
export const describePlace = ({ resource, namespace, name }: ObjectPlace): string => `${resource} ${namespace}/${name}`;

function pathOf({ apiVersion, resource, namespace, name }: ObjectPlace): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const inNamespace = namespace === "" ? "" : `/namespaces/${namespace}`;
  return `${root}${inNamespace}/${resource}${name === "" ? "" : `/${name}`}`;
}

/** HTTP status of a failed request. */
const statusOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, "status") : undefined;

/** Requests for objects of any kind in the cluster that Targets give access to. */
export interface TargetObjects {
  find(place: ObjectPlace): Promise<PlainObject | undefined>;
  /** `manager`: field manager of the object. Default: the field manager of the kit. */
  create(release: Release, manager?: string): Promise<void>;
  /** JSON merge patch. */
  patch(place: ObjectPlace, body: Fields): Promise<void>;
  /** An object that is not there is no error. */
  delete(place: ObjectPlace): Promise<void>;
}

export function createTargetObjects(client: Client): TargetObjects {
  return {
    async find(place) {
      try {
        // What the API server answers is the object.
        return (await client.request({ method: "GET", path: pathOf(place) })) as PlainObject;
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    },
    async create(release, manager) {
      const query = manager === undefined ? "" : `?fieldManager=${encodeURIComponent(manager)}`;
      const path = pathOf({ ...placeOfRelease(release), name: "" }) + query;
      await client.request({ method: "POST", path, body: release.object });
    },
    async patch(place, body) {
      const contentType = "application/merge-patch+json";
      await client.request({ method: "PATCH", path: pathOf(place), body, contentType });
    },
    async delete(place) {
      try {
        await client.request({ method: "DELETE", path: pathOf(place) });
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    },
  };
}
