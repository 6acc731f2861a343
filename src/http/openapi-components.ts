import {
  type Access,
  scopes as allScopes,
  everything,
  isLocal,
  pushCapability,
  scopeTexts,
  showsVisits,
  visitsCapability,
} from './access.ts'
import type { JsonSchema } from './json-schema.ts'

/** Shared components of the OpenAPI document: the platform's error, authentication, common headers and parameters. */
export type Json = { readonly [key: string]: unknown }

const text = { type: 'string' }

const errorSchema: JsonSchema = {
  type: 'object',
  description: "An error in the platform's shape.",
  required: ['code', 'message', 'data'],
  properties: {
    code: text,
    message: text,
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'integer' },
        params: {
          description: 'Names of missing parameters, or a message for each invalid one.',
          anyOf: [
            { type: 'array', items: text },
            { type: 'object', additionalProperties: text },
          ],
        },
        scope: {
          description: 'The scope that the application password lacks.',
          enum: [everything, ...allScopes],
        },
        details: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Detail' } },
      },
      additionalProperties: true,
    },
  },
  additionalProperties: false,
}

const detailSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: text, message: text, data: { type: ['object', 'null'] } },
  additionalProperties: false,
}

const securitySchemes: Json = {
  applicationPassword: {
    type: 'http',
    scheme: 'basic',
    description:
      'Login and application password. Each alternative names the capability that its user needs, and a scope of the ' +
      `password. The scope \`${everything}\` opens whatever the user may do; the others: ` +
      `${allScopes.map(scope => `\`${scope}\` (${scopeTexts[scope]})`).join(', ')}. ` +
      'A password with filters opens the routes that list `shareLink`, like a link with these filters.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'footfall_session',
    description: "The dashboard's cookie; on https `__Host-footfall`. Valid only with the nonce.",
  },
  nonce: { type: 'apiKey', in: 'header', name: 'X-WP-Nonce' },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token signed by the host platform. It opens nothing that concerns users and logins of this service: the host ' +
      'keeps its own.',
  },
  shareLink: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Footfall-Share',
    description:
      "A share link's token, or `token.key` if the link has a password. It opens the routes that list it, with the " +
      "link's filters, without `explain`.",
  },
}

/**
 * Any one of the alternatives is sufficient. As OpenAPI 3.1 has it, the lists name the capability that is required, and
 * for an application password the scope; a share link needs none.
 */
export const securityOf = (access: Access): Json[] => {
  const { can, scopes = [], shared } = access
  return can === 'public'
    ? []
    : [
        ...[everything, ...(can === 'identified' ? allScopes : scopes)].map(scope => ({
          applicationPassword: [can, scope],
        })),
        { cookie: [can], nonce: [] },
        ...(isLocal(access) ? [] : [{ token: [can] }]),
        ...(showsVisits(access) ? [{ token: [visitsCapability] }] : []),
        ...(scopes.includes('push') ? [{ token: [pushCapability] }] : []),
        ...(shared === undefined && can !== 'identified' ? [] : [{ shareLink: [] }]),
      ]
}

export const totalHeaders: Json = {
  'X-WP-Total': { description: 'Rows on all pages.', schema: { type: 'integer' } },
  'X-WP-TotalPages': { description: 'Number of pages at this limit.', schema: { type: 'integer' } },
}

export const retryHeaders: Json = {
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
}

const fields: Json = {
  name: '_fields',
  in: 'query',
  description: 'Fields to include, separated by commas; nested ones with dots: `data.page,meta`.',
  schema: text,
}

export const components = {
  schemas: { Error: errorSchema, Detail: detailSchema },
  parameters: { fields },
  securitySchemes,
}
