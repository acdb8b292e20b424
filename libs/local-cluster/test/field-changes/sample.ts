/** A valid object of a kind, whose fields are changed one by one, and some of them together. */
export interface Sample {
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Default: in a namespace. */
  readonly isClusterScoped?: boolean;
  /** Everything but type meta and metadata. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Default: "sample" and "new". */
  readonly name?: string;
  readonly newName?: string;
  /** Updates may change almost nothing: they are not tried with each value of an enumeration, and each value at a border. */
  readonly isFixed?: boolean;
  /** Updates must name the revision that they replace. */
  readonly needsRevision?: boolean;
  /** Changes of metadata, too. */
  readonly hasMetadataChanges?: boolean;
}
