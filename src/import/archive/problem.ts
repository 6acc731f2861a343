/** Why a day of an archive was not imported; the other days are. */
export class DayProblem extends Error {
  override name = 'DayProblem'
}

/** @throws DayProblem with what is wrong with a restored row, unless it is null */
export const checkRestored = (problem: string | null): void => {
  if (problem !== null) throw new DayProblem(problem)
}
