// The reader's choices of language and theme, kept on the device; a browser that refuses that forgets them.

const prefix = 'footfall-'

export const recall = (name: string): string | null => {
  try {
    return localStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

export const remember = (name: string, value: string): void => {
  try {
    localStorage.setItem(prefix + name, value)
  } catch {
    // The choice holds until the page is left.
  }
}
