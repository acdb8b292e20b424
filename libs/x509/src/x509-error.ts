/** A key or certificate that cannot be read or made; the message is in the words of Go's crypto packages where they have some. */
export class X509Error extends Error {
  override readonly name = "X509Error";
}
