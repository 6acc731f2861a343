import { ApiError, invalid } from '../http/errors.ts'
import { IdentityError, type IdentityReason } from './rules.ts'

/** Status and code of each reason, as in WordPress where it has the case. */
const statuses: Readonly<Record<Exclude<IdentityReason, 'invalid'>, readonly [status: number, code: string]>> = {
  login_taken: [400, 'existing_user_login'],
  name_taken: [409, 'application_password_duplicate_name'],
  last_administrator: [409, 'rest_user_last_administrator'],
  unknown_user: [404, 'rest_user_invalid_id'],
  second_factor_exists: [409, 'rest_second_factor_exists'],
}

const toApiError = ({ reason, message }: IdentityError): ApiError => {
  if (reason === 'invalid') return invalid({ user: { code: 'rest_invalid_param', message, data: null } })
  const [status, code] = statuses[reason]
  return new ApiError(status, code, message)
}

/** Runs a change; turns an IdentityError into an ApiError with the status and code of WordPress. */
export const withApiErrors = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof IdentityError ? toApiError(error) : error
  }
}

export const invalidUser = (): ApiError => new ApiError(404, 'rest_user_invalid_id', 'Invalid user ID.')
