/** Work on the content of a user would take more time or memory than it may. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
  /** What is exceeded, without the place. */
  readonly problem: string;

  /** `place` names the function or the part of the content; it contains no values. */
  constructor(problem: string, place = "") {
    super(place === "" ? problem : `${place}: ${problem}`);
    this.problem = problem;
  }
}
