import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** A region that scrolls sideways, with a shade where it goes on. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => {
  const node = useRef<HTMLDivElement>(null)
  const [goesOn, setGoesOn] = useState(false)
  const look = (): void => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = node.current ?? {}
    setGoesOn(scrollLeft + clientWidth < scrollWidth - 1)
  }
  useEffect(() => {
    if (node.current === null) return undefined
    const observer = new ResizeObserver(look)
    observer.observe(node.current)
    for (const child of node.current.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      class={goesOn ? 'scroll goes-on' : 'scroll'}
      ref={node}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={look}
    >
      {children}
    </div>
  )
}
