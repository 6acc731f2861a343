import * as v from 'valibot'
import type { NewAnnotation } from '../annotations/annotations.ts'
import { kinds, linkRule, readMoment, textRule } from '../annotations/rules.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { idSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { annotationSchema, describe } from '../reports/of/annotations.ts'
import type { Context } from './context.ts'

type AnnotationContext = Pick<Context, 'annotations' | 'zone'>

/** An annotation as it is sent. */
export const annotationBody = v.object({
  text: v.pipe(
    v.string(),
    v.check(
      text => textRule(text) === null,
      issue => textRule(issue.input) ?? '',
    ),
    v.description('One line of 1 to 200 characters.'),
  ),
  at: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => readMoment(text) !== null,
        'at must be a date such as 2026-03-10, or a time such as 2026-03-10T12:00:00Z, from 1970 on.',
      ),
      v.description(
        'A date for a whole day, else a time with its offset; at most a year from now. Default: now; in a change, as before.',
      ),
    ),
  ),
  kind: v.optional(v.picklist(kinds), 'note'),
  link: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check(
          link => linkRule(link) === null,
          issue => linkRule(issue.input) ?? '',
        ),
        v.description('An https address.'),
      ),
    ),
    null,
  ),
})
const params = v.object({ id: idSchema })

const readNew = ({ at, text, kind, link }: v.InferOutput<typeof annotationBody>): NewAnnotation => ({
  moment: at === undefined ? null : readMoment(at),
  text,
  kind,
  link,
})

const restricted = { can: 'manage_options', scopes: ['annotations'], tag: 'Segments and annotations' } as const
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_annotation_not_found'] }

/** Annotations by hand, written by administrators and by passwords with the scope `annotations`. */
export const annotationEndpoints: readonly Endpoint<AnnotationContext>[] = [
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/annotations',
    summary: 'Add an annotation',
    description: 'At most 5,000 are kept.',
    accepts,
    body: annotationBody,
    output: annotationSchema,
    status: 201,
    handle: ({ annotations, zone }: AnnotationContext, call) => ({
      data: describe(annotations.add(readNew(call.body), whoOf(call.identity)), zone),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'PUT',
    path: '/annotations/:id',
    summary: 'Change an annotation',
    accepts,
    params,
    body: annotationBody,
    output: annotationSchema,
    errors: unknown,
    handle: ({ annotations, zone }: AnnotationContext, call) => ({
      data: describe(annotations.change(call.params.id, readNew(call.body), whoOf(call.identity)), zone),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/annotations/:id',
    summary: 'Remove an annotation',
    params,
    output: v.object({ deleted: v.boolean() }),
    errors: unknown,
    handle: ({ annotations }: AnnotationContext, { params: { id }, identity }) => {
      annotations.remove(id, whoOf(identity))
      return { data: { deleted: true } }
    },
  }),
]
