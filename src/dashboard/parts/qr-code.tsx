import { generate } from 'lean-qr/nano'

/** Cells of white around the code: without them, cameras do not find it. */
const margin = 4

/** A text as a QR code. It is black on white in dark mode as well, because many cameras do not read the reverse. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const code = generate(text)
  const cells = Array.from({ length: code.size }, (_, y) =>
    Array.from({ length: code.size }, (_, x) => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  ).join('')
  const size = code.size + 2 * margin
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`${-margin} ${-margin} ${size} ${size}`}>
      <rect x={-margin} y={-margin} width={size} height={size} fill="#fff" />
      <path d={cells} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
