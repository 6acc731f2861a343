/** Security headers of every HTML page: no framing, no referrer, no access to the visitor's devices. */
export const pageHeaders = (policy: readonly string[]): Readonly<Record<string, string>> => ({
  ...framedHeaders(policy, []),
  'x-frame-options': 'DENY',
})

/** The same for a page that pages of these origins may frame. */
export const framedHeaders = (
  policy: readonly string[],
  origins: readonly string[],
): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    ...policy,
    "base-uri 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
})
