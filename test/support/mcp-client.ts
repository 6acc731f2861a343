// The SDK's own client, connected to `footfall mcp` as an assistant's program is.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type Program, sources } from './program.ts'
import { patience } from './wait.ts'

const timeout = patience * 1000

export type Assistant = {
  client: Client
  /** The result of a tool: its structured content and its text. */
  call: (name: string, args?: object) => Promise<{ body: any; text: string; isError: boolean }>
  stderr: () => string
}

const connected: Client[] = []

/** Ends the programs of a test file. */
export const closeAssistants = async (): Promise<void> => {
  await Promise.all(connected.map(client => client.close()))
}

export const connectAssistant = async (
  args: readonly string[],
  { program = sources, env = {} }: { program?: Program; env?: Record<string, string> } = {},
): Promise<Assistant> => {
  const [command, ...words] = program.command
  const transport = new StdioClientTransport({
    command,
    args: [...words, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', chunk => {
    said += String(chunk)
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport, { timeout })
  connected.push(client)
  return {
    client,
    call: async (name, given = {}) => {
      const answer = await client.callTool({ name, arguments: { ...given } }, undefined, { timeout })
      const { structuredContent: body, content, isError } = answer as any
      return { body, text: content[0].text, isError: isError === true }
    },
    stderr: () => said,
  }
}
