// Files of drawings that the page loads once it shows one of them.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
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

/** Milliseconds after which also drawings out of view are loaded: they may be printed. */
const patience = 3000

/** Whether an element has come into view, or the page has had time for what has not. */
const useSeen = (isWanted: boolean): { isSeen: boolean; place: RefObject<HTMLElement | null> } => {
  const place = useRef<HTMLElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!isWanted) return undefined
    const see = (): void => setSeen(true)
    const timer = setTimeout(see, patience)
    const observer = new IntersectionObserver(entries => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) see()
    })
    if (place.current !== null) observer.observe(place.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [])
  return { isSeen, place }
}

/** A file of drawings, loaded once for all who ask when `place` comes into view; null until then. */
export const useDrawings = <Name extends keyof Drawings>(
  name: Name,
): { drawings: Drawings[Name] | null; place: RefObject<HTMLElement | null> } => {
  const { recoveries } = useApp()
  // What is loaded is drawn at once: a long list has many flags.
  const { isSeen, place } = useSeen(loaded[name] === undefined)
  const [, draw] = useState(loaded[name] !== undefined)
  useEffect(() => {
    if (!isSeen || loaded[name] !== undefined) return
    loading[name] ??= load(name).finally(() => delete loading[name])
    // Without drawings the page shows the rest; it tries again when the connection is back.
    loading[name].then(
      () => draw(true),
      () => {},
    )
  }, [isSeen, recoveries])
  return { drawings: loaded[name] ?? null, place }
}
