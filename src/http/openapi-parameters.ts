import type { Endpoint } from './endpoint.ts'
import { toJsonSchema } from './json-schema.ts'
import type { Json } from './openapi-components.ts'
import { isOptional, type SchemaNode, unwrap } from './schemas.ts'

const parametersIn = (place: 'path' | 'query', schema: SchemaNode | undefined): Json[] =>
  Object.entries(schema === undefined ? {} : (unwrap(schema).entries ?? {})).map(([name, field]) => {
    const { description, ...rest } = toJsonSchema(field)
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      required: place === 'path' || !isOptional(field),
      ...(rest.type === 'array' && { style: 'form', explode: false }),
      // Its members are parameters of their own.
      ...(rest.type === 'object' && place === 'query' && { style: 'form', explode: true }),
      schema: rest,
    }
  })

/** Path variables without a schema are strings. */
const pathParameters = <Context>({ path, params }: Endpoint<Context>): Json[] => {
  const described = parametersIn('path', params)
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  return names.map(
    name =>
      described.find(parameter => parameter.name === name) ?? {
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      },
  )
}

const parametersOf = <Context>(endpoint: Endpoint<Context>): Json[] => [
  ...pathParameters(endpoint),
  ...parametersIn('query', endpoint.query),
]

/** What so many operations have alike is written once. */
const sharedFrom = 3

/** A name that no other parameter has: `channel`, and `revenueChannel` where revenue means another one. */
const freeName = (taken: Readonly<Record<string, Json>>, name: string, tag: string): string => {
  const [word = ''] = tag.toLowerCase().split(' ')
  const names = [name, word + name.charAt(0).toUpperCase() + name.slice(1)]
  return names.find(one => !Object.hasOwn(taken, one)) ?? `${names[1]}${Object.keys(taken).length}`
}

/** The parameters that several endpoints have alike, by name, and how an endpoint writes its own. */
export const shareParameters = <Context>(endpoints: readonly Endpoint<Context>[]) => {
  const counts = new Map<string, number>()
  for (const endpoint of endpoints)
    for (const parameter of parametersOf(endpoint)) {
      const text = JSON.stringify(parameter)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  const shared: Record<string, Json> = {}
  const references = new Map<string, Json>()
  for (const endpoint of endpoints)
    for (const parameter of parametersOf(endpoint)) {
      const text = JSON.stringify(parameter)
      if (references.has(text) || (counts.get(text) ?? 0) < sharedFrom) continue
      const name = freeName(shared, String(parameter.name), endpoint.tag)
      shared[name] = parameter
      references.set(text, { $ref: `#/components/parameters/${name}` })
    }
  return {
    shared,
    of: (endpoint: Endpoint<Context>): Json[] =>
      parametersOf(endpoint).map(parameter => references.get(JSON.stringify(parameter)) ?? parameter),
  }
}
