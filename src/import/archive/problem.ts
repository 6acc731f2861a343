/** Why a day of an archive is not taken; the others are. */
export class DayProblem extends Error {
  override name = 'DayProblem'
}
