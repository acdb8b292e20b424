/** HTTP status with which the Kubernetes API answers a patch that cannot be applied. */
export type PatchErrorStatus = 400 | 413 | 415 | 422 | 500;

const hiddenMessage = "the server rejected our request due to an error in our request";

/** A patch that is malformed or does not fit the document. The message names the operation and its path, never a value of a test operation. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly status: PatchErrorStatus;

  constructor(status: PatchErrorStatus, message: string) {
    super(message);
    this.status = status;
  }

  /** The message of the Status object that a Kubernetes API server sends: it hides the details of a JSON patch that does not apply. */
  get statusMessage(): string {
    return this.status === 422 ? hiddenMessage : this.message;
  }
}
