// The salts of a database: a file beside it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from '../../src/database/connect.ts'

type Salt = { day: number; salt: string; expires_at: number }

/** The salts beside a database, in hexadecimal. */
export const saltsOf = (file: string): Salt[] =>
  existsSync(`${file}.salts`) ? JSON.parse(readFileSync(`${file}.salts`, 'utf8')).salts : []

/** The last day, which is that of the lasting salt. */
export const lastingSalt = (file: string): string | undefined => saltsOf(file).find(({ day }) => day === 99991231)?.salt

/** Adds a salt as the program would. */
export const addSalt = (file: string, salt: Salt): void => {
  const db = connect(file, { readonly: true })
  const installation = db.prepare("select value from installation where name = 'id'").pluck().get()
  db.close()
  writeFileSync(`${file}.salts`, JSON.stringify({ installation, salts: [...saltsOf(file), salt] }), { mode: 0o600 })
}

/** Whether bytes have a salt, as bytes or in hexadecimal. */
export const hasSalt = (bytes: Buffer, salt: string): boolean =>
  bytes.includes(Buffer.from(salt, 'hex')) || bytes.includes(salt) || bytes.includes(salt.toUpperCase())
