// What the browser keeps of the user's choices; one that denies it forgets them.

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
