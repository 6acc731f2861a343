import { randomBytes, randomInt, scrypt } from 'node:crypto'
import { sameBytes } from './key.ts'

type Cost = { ln: number; r: number; p: number }

/** 32 MiB and about 0.2 seconds, as OWASP recommends for scrypt. */
const cost: Cost = { ln: 15, r: 8, p: 3 }
const length = 32

/** Normalizes Unicode, because keyboards encode the same characters in different ways. */
const bytesOf = (password: string): string => password.normalize('NFKC')

const derive = (password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }
    scrypt(bytesOf(password), salt, length, options, (error, hash) => (error === null ? resolve(hash) : reject(error)))
  })

const format = (salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt.toString('base64')}$${hash.toString('base64')}`

const parse = (stored: string): { cost: Cost; salt: Buffer; hash: Buffer } => {
  const [, ln, r, p, salt, hash] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/.exec(stored) ?? []
  if (salt === undefined || hash === undefined)
    throw new Error('The database contains a password hash that this version cannot read.')
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

/** Compared with for unknown logins, so that they take as long as known ones. */
const dummyHash = format(Buffer.alloc(16), Buffer.alloc(length))

/** Salted scrypt. The text contains its parameters (`$scrypt$ln=15,r=8,p=3$salt$hash`), so they can be raised later. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  return format(salt, await derive(password, salt, cost))
}

/** Whether the password matches the hash; false for null (no such user), after the same time. */
export const verifyPassword = async (password: string, stored: string | null): Promise<boolean> => {
  const expected = parse(stored ?? dummyHash)
  const hash = await derive(password, expected.salt, expected.cost)
  return sameBytes(hash, expected.hash) && stored !== null
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Generates a password of 24 letters and digits: 142 random bits. */
export const generatePassword = (): string =>
  Array.from({ length: 24 }, () => letters.charAt(randomInt(letters.length))).join('')
