/** A scalar that toYamlV3 writes as it is, such as a time: its text is neither quoted nor folded. */
export class VerbatimScalar {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
