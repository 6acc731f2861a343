/** Security headers of every HTML page: no framing, no referrer, no access to the visitor's devices. */
export const pageHeaders = (policy: readonly string[]): Readonly<Record<string, string>> => ({
  'content-security-policy': [...policy, "base-uri 'none'", "frame-ancestors 'none'"].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
})
