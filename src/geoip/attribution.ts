import * as v from 'valibot'

/** Attribution that a vendor requires wherever places are shown. */
export const attributionSchema = v.object({ text: v.string(), url: v.string() })
export type Attribution = v.InferOutput<typeof attributionSchema>

/** By the database type in its metadata. A bought one, such as GeoIP2-City, requires none. */
const vendors: readonly (readonly [type: RegExp, attribution: Attribution])[] = [
  [
    /^GeoLite/i,
    {
      text: 'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com.',
      url: 'https://www.maxmind.com',
    },
  ],
  [/^DBIP-.*Lite/i, { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' }],
  [
    /^country ipvAll/,
    { text: 'Countries by data of the NRO (CC BY 4.0), in the edition of ip-location-db', url: 'https://www.nro.net' },
  ],
]

/** Null where none is required. */
export const attributionOf = (type: string): Attribution | null =>
  vendors.find(([known]) => known.test(type))?.[1] ?? null
