type Brand = { name: string; version: string }

/** The brands of `Sec-CH-UA`, in the order sent; invalid items are skipped. */
export const parseBrands = (value: string | undefined): Brand[] =>
  [...(value ?? '').matchAll(/"([^"]{1,64})"\s?;\s?v="([\d.]{1,32})"/g)].map(([, name = '', version = '']) => ({
    name,
    version,
  }))
