import { ApiError, invalid } from '../http/errors.ts'
import { IdentityError, type IdentityReason } from './errors.ts'

/** Status and code of each refusal, as the platform has them where it knows the case. */
const answers: Readonly<Record<Exclude<IdentityReason, 'invalid'>, readonly [status: number, code: string]>> = {
  login_taken: [400, 'existing_user_login'],
  name_taken: [409, 'application_password_duplicate_name'],
  last_administrator: [409, 'rest_user_last_administrator'],
  unknown_user: [404, 'rest_user_invalid_id'],
}

const answerOf = ({ reason, message }: IdentityError): ApiError => {
  if (reason === 'invalid') return invalid({ user: { code: 'rest_invalid_param', message, data: null } })
  const [status, code] = answers[reason]
  return new ApiError(status, code, message)
}

/** Does a change; what it refuses becomes an answer in the platform's shape. */
export const refusing = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof IdentityError ? answerOf(error) : error
  }
}

export const invalidUser = (): ApiError => new ApiError(404, 'rest_user_invalid_id', 'Invalid user ID.')
