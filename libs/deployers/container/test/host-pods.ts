import type { Client } from "@landscaper/controller-runtime";
import { PlayedPods } from "./played-pods.ts";

/** The Pods of one namespace of a host cluster. */
export class HostPods extends PlayedPods {
  readonly host: Client;
  readonly namespace: string;

  /** `host`: a client with all rights. */
  constructor(host: Client, namespace: string) {
    super();
    this.host = host;
    this.namespace = namespace;
  }
}
