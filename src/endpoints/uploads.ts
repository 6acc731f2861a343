import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { uuidSchema } from '../http/schemas.ts'
import { maxPiece, maxUploads } from '../import/live/uploads.ts'
import type { Context } from './context.ts'

type UploadContext = Pick<Context, 'uploads'>

const restricted = { can: 'manage_options', tag: 'Operation' } as const

const bytes = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxUploads))
const uploadSchema = v.object({
  id: v.string(),
  name: v.pipe(v.string(), v.description('Its name, without folders and unusual characters.')),
  bytes: v.pipe(bytes, v.description('Its length.')),
  received: v.pipe(v.number(), v.integer(), v.description('Bytes that are here: the next piece begins there.')),
})
export type UploadAnswer = v.InferOutput<typeof uploadSchema>

const params = v.object({ id: uuidSchema })

/** Files for an import: sent in pieces, kept beside the database for a day, removed by the import. */
export const uploadEndpoints: readonly Endpoint<UploadContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/uploads',
    summary: 'List files that wait for an import',
    description: 'They are removed by the import, or a day after their last piece.',
    output: v.array(uploadSchema),
    handle: ({ uploads }: UploadContext) => ({ data: uploads.list() }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/uploads',
    summary: 'Announce a file for an import',
    description: 'Its content follows in pieces. All files together may have 2 GiB.',
    status: 201,
    body: v.strictObject({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(1000), v.description('The name of the file.')),
      bytes: v.pipe(bytes, v.description('Its length.')),
    }),
    output: uploadSchema,
    errors: { 413: ['rest_upload_too_large'], 507: ['rest_upload_no_space'] },
    handle: ({ uploads }: UploadContext, { body: { name, bytes: length } }) => ({ data: uploads.add(name, length) }),
  }),
  endpoint({
    ...restricted,
    method: 'PUT',
    path: '/uploads/:id',
    summary: 'Send the next piece of a file',
    description:
      'The body is the piece, up to 4 MiB. A piece that does not begin where the file ends is refused, and the answer says where to go on.',
    params,
    query: v.object({
      offset: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Where the piece begins, in bytes.')),
    }),
    accepts: ['application/octet-stream'],
    bodyLimit: maxPiece,
    rawBody: true,
    output: uploadSchema,
    errors: {
      404: ['rest_upload_not_found'],
      409: ['rest_upload_offset'],
      413: ['rest_payload_too_large'],
      507: ['rest_upload_no_space'],
    },
    handle: ({ uploads }: UploadContext, { params: { id }, query: { offset }, bytes: piece }) => ({
      data: uploads.append(id, offset, piece),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/uploads/:id',
    summary: 'Remove a file that waits for an import',
    params,
    output: null,
    errors: { 404: ['rest_upload_not_found'] },
    handle: ({ uploads }: UploadContext, { params: { id } }) => {
      uploads.remove(id)
      return { data: null }
    },
  }),
]
