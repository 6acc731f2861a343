/** 21 random characters that fit a URL (105 bits). Unlike `crypto.randomUUID` this works on plain http too. */
export const randomId = (): string =>
  crypto.getRandomValues(new Uint8Array(21)).reduce((id, byte) => id + (byte % 32).toString(32), '')
