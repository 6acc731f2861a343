import { hash as digest } from 'node:crypto'
import { copyString } from '../../lib/lru-cache.ts'

/** The first 8 bytes of a SHA-256, in hexadecimal. */
export type Hash = string

const hexLength = 16

/** Copied, since a slice would keep the whole digest in memory. */
export const hashOf = (data: string | Uint8Array): Hash => copyString(digest('sha256', data, 'hex').slice(0, hexLength))

/** The stored form of a hash. */
export const toBytes = (hash: Hash): Buffer => Buffer.from(hash, 'hex')
