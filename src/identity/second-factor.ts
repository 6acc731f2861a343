// Second factors: codes of an app (TOTP, RFC 6238), and recovery codes for users without it.
import { Secret, TOTP } from 'otpauth'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/second-factor.sql'
import { identityKey, keyedHash } from './key.ts'
import { IdentityError } from './rules.ts'
import { findUserById, type User } from './users.ts'

const sql = statements(sqlText)

const secret = v.instance(Buffer)
const ofUser = v.object({ user_id: v.number() })
const codeOfUser = v.object({ hash: v.instance(Buffer), ...ofUser.entries })
const addQuery = query(sql('user-totp.add'), v.object({ ...ofUser.entries, secret }))
const findQuery = query(
  sql('user-totp.find'),
  ofUser,
  v.object({ secret, confirmed_at: v.nullable(v.number()), recovery_codes: v.number() }),
)
const removeQuery = query(sql('user-totp.remove'), ofUser)
const consumeStepQuery = query(sql('user-totp.use'), v.object({ ...ofUser.entries, step: v.number(), now: v.number() }))
const addCodeQuery = query(sql('recovery-code.add'), codeOfUser)
const consumeCodeQuery = query(sql('recovery-code.use'), codeOfUser)
const removeCodesQuery = query(sql('recovery-code.remove-of-user'), ofUser)

/** What every app supports; some ignore any other values. */
const period = 30
const kind = { algorithm: 'SHA1', digits: 6, period }
/** Steps before and after the current one whose codes are valid: clocks differ, and people type slowly. */
const window = 1
const recoveryCodes = 10

/** `confirmedAt` in seconds since 1970, null without a confirmed second factor; `recoveryCodes` are those left. */
export type SecondFactor = { confirmedAt: number | null; recoveryCodes: number }

export const secondFactorOf = (db: Db, userId: number): SecondFactor => {
  const row = get(db, findQuery, { user_id: userId })
  return { confirmedAt: row?.confirmed_at ?? null, recoveryCodes: row?.recovery_codes ?? 0 }
}

/**
 * Starts to set up a second factor, which is not asked for until it is confirmed. `host` distinguishes accounts of several
 * installations apart in the app. Returns the secret as text (base32), and as a URI for a QR code.
 * @throws IdentityError if the user has a confirmed one
 */
export const beginSecondFactor = (db: Db, { id, login }: User, host: string): { secret: string; uri: string } => {
  const made = new Secret({ size: 20 })
  if (run(db, addQuery, { user_id: id, secret: Buffer.from(made.bytes) }) === 0)
    throw new IdentityError('This user already has a second factor. Remove it first.', 'second_factor_exists')
  const uri = new TOTP({ issuer: 'Footfall', label: `${login}@${host}`, secret: made, ...kind }).toString()
  return { secret: made.base32, uri }
}

/** Without the spaces and dashes that people type. */
const normalize = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

/** Uses up a code of the app: it and those of earlier steps are not valid again. */
const useAppCode = (db: Db, userId: number, secretBytes: Buffer, code: string, now: number): boolean => {
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromHex(secretBytes.toString('hex')),
    ...kind,
    timestamp: now * 1000,
    window,
  })
  if (delta === null) return false
  return run(db, consumeStepQuery, { user_id: userId, step: Math.floor(now / period) + delta, now }) === 1
}

const hashOf = (db: Db, code: string): Buffer => keyedHash(identityKey(db), 'recovery-code', code)

const useRecoveryCode = (db: Db, userId: number, code: string, now: number): boolean => {
  if (run(db, consumeCodeQuery, { user_id: userId, hash: hashOf(db, code) }) === 0) return false
  const user = findUserById(db, userId)?.login ?? ''
  noteAction(db, { at: now, who: user }, 'recovery_code_used', { user, left: secondFactorOf(db, userId).recoveryCodes })
  return true
}

/** Uses up a code of the app or a recovery code; false if it is wrong or was used before. */
export const useCode = (db: Db, userId: number, text: string, now: number): boolean =>
  db
    .transaction(() => {
      const row = get(db, findQuery, { user_id: userId })
      if (row === undefined || row.confirmed_at === null) return false
      const code = normalize(text)
      return /^\d{6}$/.test(code)
        ? useAppCode(db, userId, row.secret, code, now)
        : useRecoveryCode(db, userId, code, now)
    })
    .immediate()

/** Sixteen letters and digits (80 random bits). */
const generateCode = (): string => new Secret({ size: 10 }).base32

const addCodes = (db: Db, userId: number): string[] => {
  const codes = Array.from({ length: recoveryCodes }, generateCode)
  run(db, removeCodesQuery, { user_id: userId })
  for (const code of codes) run(db, addCodeQuery, { user_id: userId, hash: hashOf(db, code) })
  return codes.map(code => code.replace(/.{4}(?=.)/g, '$&-').toLowerCase())
}

/**
 * Confirms a second factor with a first code, and returns the recovery codes, of which only hashes are stored. Null if
 * the code is wrong, or nothing is to be confirmed.
 */
export const confirmSecondFactor = (
  db: Db,
  user: User,
  code: string,
  now: number,
  who: string | null,
): string[] | null =>
  db
    .transaction(() => {
      const row = get(db, findQuery, { user_id: user.id })
      if (row === undefined || row.confirmed_at !== null) return null
      if (!useAppCode(db, user.id, row.secret, normalize(code), now)) return null
      noteAction(db, { at: now, who }, 'second_factor_on', { user: user.login })
      return addCodes(db, user.id)
    })
    .immediate()

/** Removes the second factor with its recovery codes; false if there is none. */
export const removeSecondFactor = (
  db: Db,
  user: User,
  action: 'second_factor_off' | 'second_factor_reset',
  now: number,
  who: string | null = 'cli',
): boolean =>
  db
    .transaction(() => {
      run(db, removeCodesQuery, { user_id: user.id })
      if (run(db, removeQuery, { user_id: user.id }) === 0) return false
      noteAction(db, { at: now, who }, action, { user: user.login })
      return true
    })
    .immediate()
