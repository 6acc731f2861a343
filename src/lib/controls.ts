// Characters that change how a text is shown, or where it ends: C0 and C1 controls, line and paragraph separators, and
// bidirectional overrides and isolates (api.md §3). Marks and joiners (U+200C-200F) stay: scripts and emoji need them.
const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
const controls = new RegExp(control, 'g')
/** Line breaks and tabs lay a program's own output out. */
const controlsInLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
const breaks = /[\t-\r]+/g

const escapeOf = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The text as one line without controls; tabs and line breaks become a space, so that words stay apart. */
export const dropControls = (text: string): string =>
  control.test(text) ? text.replace(breaks, ' ').replace(controls, '') : text

/** The text as one line in which controls are escaped as in JSON. */
export const escapeControls = (text: string): string => text.replace(controls, escapeOf)

/** Text for a terminal: controls are escaped as in JSON, whose meaning stays the same; line breaks and tabs stay. */
export const escapeForTerminal = (text: string): string => text.replace(controlsInLines, escapeOf)
