const [mebibyte, gibibyte] = [2 ** 20, 2 ** 30]

/** An amount of bytes for people, with so many decimals. */
export const sizeOf = (bytes: number, decimals = 1): string =>
  bytes < gibibyte ? `${(bytes / mebibyte).toFixed(decimals)} MiB` : `${(bytes / gibibyte).toFixed(decimals)} GiB`
