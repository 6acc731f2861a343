import { dropControls } from '../lib/controls.ts'

/**
 * A message; with `html` the text is the alternative for programs that show none. `unsubscribe` is an address to which
 * mail programs offer to send a POST, by which no more of such messages come (RFC 8058).
 */
export type Message = { subject: string; text: string; html?: string; unsubscribe?: string }

export type Envelope = { from: string; to: readonly string[] }

/**
 * The message as in RFC 5322, with line feeds, as programs such as sendmail read it.
 * @param date in milliseconds since 1970
 */
export const composeMessage = async (
  { subject, text, html, unsubscribe }: Message,
  { from, to }: Envelope,
  date: number,
): Promise<Buffer> => {
  // Only those who send mail pay for reading it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    from: { name: 'Footfall', address: from },
    to: [...to],
    subject: dropControls(subject),
    date: new Date(date),
    text,
    ...(html !== undefined && { html }),
    // No answers by holiday programs (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    encoding: 'quoted-printable',
    newline: 'linux',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
