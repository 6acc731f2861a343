// Users whose password every test knows, put straight into a file.
import type { Db } from '../../src/database/query.ts'

export const password = 'long enough for it'

/** Its hash takes a core a fifth of a second or more to make, and most tests need nobody's password. */
const hash = '$scrypt$ln=15,r=8,p=3$nj+l8qvlr/lwJ4uimUlNEA==$gLKBIaAu2/KDQkJ8RDsau07MjZmGNjtOjwzcCiJpyY0='

/** `now` in seconds since 1970; gives the user's number. */
export const addKnownUser = (db: Db, login: string, role: string, now: number): number =>
  Number(
    db
      .prepare("insert into user (login, role, locale, password_hash, created_at) values (?, ?, 'en', ?, ?)")
      .run(login, role, hash, now).lastInsertRowid,
  )
