/** Variables by slot. Go keeps a stack at run time; as scopes are lexical, names can be resolved when compiling. */
export class Scope {
  readonly #names: { name: string; slot: number }[] = [{ name: "$", slot: 0 }];
  #nextSlot = 1;

  /** A new variable; an older one of the same name is hidden until the scope closes. */
  declare(name: string): number {
    const slot = this.#nextSlot++;
    this.#names.push({ name, slot });
    return slot;
  }

  lookup(name: string): number | undefined {
    return this.#names.findLast((variable) => variable.name === name)?.slot;
  }

  /** A copy: what is declared or closed later does not change it. */
  snapshot(): Scope {
    const copy = new Scope();
    copy.#names.splice(0, 1, ...this.#names);
    copy.#nextSlot = this.#nextSlot;
    return copy;
  }

  open(): number {
    return this.#names.length;
  }

  close(mark: number): void {
    this.#names.length = mark;
  }
}
