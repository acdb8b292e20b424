/** What ends `helm template`, in Helm's words without "Error: " in front. */
export class HelmFailure extends Error {
  override readonly name = "HelmFailure";
}
