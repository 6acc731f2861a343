// The choice of language and theme, in localStorage where the browser allows that.

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
    // The choice lasts until the page is closed.
  }
}
