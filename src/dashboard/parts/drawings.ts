// Files of drawings that the page loads once it shows one of them.
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'

type Drawings = {
  world: { width: number; height: number; places: [code: string, path: string][] }
  /** SVG by country. */
  flags: Readonly<Record<string, string>>
}

const loaded: Partial<Drawings> = {}
const loading: Record<string, Promise<void>> = {}

const load = async <Name extends keyof Drawings>(name: Name): Promise<void> => {
  const response = await fetch(document.documentElement.dataset[name] ?? '')
  if (!response.ok) throw new Error(`${name} answered ${response.status}`)
  loaded[name] = (await response.json()) as Drawings[Name]
}

/** A file of drawings; null until it is loaded, once for all who ask. */
export const useDrawings = <Name extends keyof Drawings>(name: Name): Drawings[Name] | null => {
  const { recoveries } = useApp()
  const [, draw] = useState(loaded[name] !== undefined)
  useEffect(() => {
    if (loaded[name] !== undefined) return
    loading[name] ??= load(name).finally(() => delete loading[name])
    // Without drawings the page shows the rest; it tries again when the connection is back.
    loading[name].then(
      () => draw(true),
      () => {},
    )
  }, [recoveries])
  return loaded[name] ?? null
}
