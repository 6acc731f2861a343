/** Why a day of an archive was not imported; the other days are. */
export class DayProblem extends Error {
  override name = 'DayProblem'
}
