import { isCode } from '../database/errors.ts'
import { invalidParam } from '../http/errors.ts'

/** Runs a change, and refuses a name that another one of its kind has. */
export const withUniqueName = <Result>(noun: string, taken: string, change: () => Result): Result => {
  try {
    return change()
  } catch (error) {
    throw isCode(error, 'SQLITE_CONSTRAINT_UNIQUE')
      ? invalidParam('name', `There is a ${noun} '${taken}' already.`)
      : error
  }
}
