import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A password of 24 letters and digits: 142 random bits. */
export const generatePassword = (): string =>
  Array.from({ length: 24 }, () => letters.charAt(randomInt(letters.length))).join('')
