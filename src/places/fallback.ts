import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { openGeo, type GeoReader } from '../collection/geo.ts'
import { download, forgetPart, MissingFile } from './download.ts'

/** A month as the addresses of files name it. */
const monthsAt = (milliseconds: number): { year: string, month: string }[] => [0, 1].map(back => {
  const date = new Date(milliseconds)
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - back)
  return { year: String(date.getUTCFullYear()), month: String(date.getUTCMonth() + 1).padStart(2, '0') }
})

/** The file of this month, and that of the month before, as a new one appears some days late. */
export const urlsAt = (template: string, milliseconds: number): string[] =>
  [...new Set(monthsAt(milliseconds).map(({ year, month }) => template.replaceAll('{year}', year).replaceAll('{month}', month)))]

const fetchFirst = async (urls: readonly string[], part: string): Promise<void> => {
  for (const [index, url] of urls.entries()) {
    try {
      return await download(url, part)
    } catch (error) {
      if (!(error instanceof MissingFile) || index === urls.length - 1) throw error
    }
  }
}

const isPacked = (path: string): boolean => {
  const [first, second] = readFileSync(path).subarray(0, 2)
  return first === 0x1f && second === 0x8b
}

const unpack = async (part: string, draft: string): Promise<void> => {
  if (isPacked(part)) await pipeline(createReadStream(part), createGunzip(), createWriteStream(draft, { mode: 0o600 }))
  else renameSync(part, draft)
}

/** A database that knows cities; anything else is refused before it takes the place of the one there is. */
const check = (draft: string): GeoReader => {
  const geo = openGeo(readFileSync(draft))
  if (geo.kind !== 'city') throw new Error('the file holds no cities')
  return geo
}

/**
 * Fetches the free city database of the month, checks it, and puts it in its place in one step.
 * @returns the database, opened
 */
export const fetchFallback = async (template: string, target: string, milliseconds: number): Promise<GeoReader> => {
  const [part, draft] = [`${target}.part`, `${target}.new`]
  try {
    await fetchFirst(urlsAt(template, milliseconds), part)
    try {
      await unpack(part, draft)
      const geo = check(draft)
      renameSync(draft, target)
      return geo
    } finally {
      // Whole, and yet not usable: the next try begins anew.
      forgetPart(part)
    }
  } finally {
    if (existsSync(draft)) rmSync(draft)
  }
}
