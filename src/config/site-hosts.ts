/** Hosts whose pages may send hits; none: any. */
export const siteHosts = ({
  siteUrl,
  allowedHosts,
}: {
  siteUrl: string | null
  allowedHosts: readonly string[]
}): string[] => [...(siteUrl === null ? [] : [new URL(siteUrl).host]), ...allowedHosts]
