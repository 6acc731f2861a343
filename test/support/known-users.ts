// Inserts users with a known password.
import type { Db } from '../../src/database/query.ts'

export const password = 'long enough for it'

/** Hashing takes at least 200 ms of CPU time, and most tests need no password; so the hash is precomputed. */
const hash = '$scrypt$ln=15,r=8,p=3$nj+l8qvlr/lwJ4uimUlNEA==$gLKBIaAu2/KDQkJ8RDsau07MjZmGNjtOjwzcCiJpyY0='

/** `now` is in seconds since 1970. Returns the user's id. */
export const addKnownUser = (db: Db, login: string, role: string, now: number): number =>
  Number(
    db
      .prepare("insert into user (login, role, locale, password_hash, created_at) values (?, ?, 'en', ?, ?)")
      .run(login, role, hash, now).lastInsertRowid,
  )
