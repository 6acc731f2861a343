import type { ComponentChildren } from 'preact'
import { useApp } from '../app/app-context.ts'
import { withPlatform } from '../app/platform.ts'
import { type State, writeState } from '../app/url.ts'

type LinkProps = {
  to: Partial<State>
  /** Whether it shows the other state from its top. */
  top?: boolean
  /** Whether it is where the page is. */
  current?: boolean
  class?: string
  title?: string
  children: ComponentChildren
}

/** A link to another state of the page, also for a new tab. */
export const Link = ({ to, top = false, current = false, ...rest }: LinkProps) => {
  const { state, home, go } = useApp()
  return (
    <a
      {...rest}
      href={`${withPlatform(writeState({ ...state, ...to }, home)) || '.'}${location.hash}`}
      aria-current={current ? 'page' : undefined}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        go(to)
        if (top) scrollTo(0, 0)
      }}
    />
  )
}
