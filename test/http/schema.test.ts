// One valibot schema yields the platform's messages and the OpenAPI document; unsupported schemas are refused.
import { Validator } from '@seriousme/openapi-schema-validator'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { createCheck } from '../../src/http/check.ts'
import { withDocuments } from '../../src/http/documents.ts'
import { checkAnswer, endpoint } from '../../src/http/endpoint.ts'
import { ApiError, toBody } from '../../src/http/errors.ts'
import { toJsonSchema } from '../../src/http/json-schema.ts'
import { createOpenApi } from '../../src/http/openapi.ts'
import { dateSchema, pagination, timeSchema } from '../../src/http/schemas.ts'
import { endpoints } from '../support/http-demo.ts'
import { answerChecker } from '../support/openapi-answers.ts'

/** The one detail of a refused `x`. */
const refusal = (schema: v.GenericSchema, value: unknown): unknown => {
  const check = createCheck({ body: v.object({ x: schema }) })
  try {
    check({ query: {}, body: { x: value }, path: {} })
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { data } = toBody(error)
    const details = data.details as Record<string, { code: string; message: string }> | undefined
    return details?.x === undefined ? data : `${details.x.code}: ${details.x.message}`
  }
}

const sentences: [v.GenericSchema, unknown, string][] = [
  [v.literal('a'), 'b', 'rest_not_in_enum: x is not a.'],
  [v.picklist([1, 2]), '3', 'rest_not_in_enum: x is not one of 1 and 2.'],
  [v.pipe(v.number(), v.maxValue(9)), 10, 'rest_out_of_bounds: x must be less than or equal to 9'],
  [v.pipe(v.number(), v.multipleOf(5)), 7, 'rest_invalid_multiple: x must be a multiple of 5.'],
  [v.pipe(v.string(), v.nonEmpty()), '', 'rest_too_short: x must be at least 1 character long.'],
  [v.pipe(v.string(), v.maxLength(2048)), 'x'.repeat(2049), 'rest_too_long: x must be at most 2,048 characters long.'],
  [v.pipe(v.array(v.string()), v.minLength(1)), [], 'rest_too_few_items: x must contain at least 1 item.'],
  [v.array(v.pipe(v.number(), v.integer())), ['1', 'b'], 'rest_invalid_type: x[1] is not of type integer.'],
  [v.array(v.array(v.string())), [['a'], [1]], 'rest_invalid_type: x[1][0] is not of type string.'],
  [v.record(v.string(), v.number()), { a: 'b' }, 'rest_invalid_type: x[a] is not of type number.'],
  [
    v.strictObject({ a: v.optional(v.string()) }),
    { b: 1 },
    'rest_additional_properties_forbidden: b is not a valid property of Object.',
  ],
  [
    v.object({ a: v.object({ b: v.string() }) }),
    { a: {} },
    'rest_property_required: b is a required property of x[a].',
  ],
  [v.union([v.string(), v.number()]), {}, 'rest_no_matching_schema: x does not match any of the expected formats.'],
  [v.pipe(v.string(), v.uuid()), 'a', 'rest_invalid_uuid: x is not a valid UUID.'],
  [v.pipe(v.string(), v.email()), 'a', 'rest_invalid_email: Invalid email address.'],
  [timeSchema, 'a', 'rest_invalid_date: Invalid date.'],
  [v.string(), 5, 'rest_invalid_type: x is not of type string.'],
  [v.boolean(), 2, 'rest_invalid_type: x is not of type boolean.'],
  [
    v.pipe(
      v.string(),
      v.check(text => text === 'ok', 'x must be ok.'),
    ),
    'a',
    'rest_invalid_param: x must be ok.',
  ],
]

for (const [schema, value, sentence] of sentences) test(sentence, () => assert.is(refusal(schema, value), sentence))

test('a union accepts any matching alternative and coerces to its type', () => {
  const check = createCheck({ query: v.object({ x: v.union([v.number(), v.boolean()]) }) })
  assert.equal(check({ query: { x: 'true' }, body: undefined, path: {} }).query, { x: true })
  assert.equal(check({ query: { x: '7' }, body: undefined, path: {} }).query, { x: 7 })
})

test("missing names are in the order of declaration, the path's and query's before the body's", () => {
  const check = createCheck({
    query: v.object({ b: v.string(), a: v.string() }),
    body: v.object({ d: v.string(), c: v.string() }),
  })
  try {
    check({ query: { a: 'x' }, body: null, path: {} })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, ApiError)
    assert.is((error as ApiError).message, 'Missing parameter(s): b, d, c')
  }
})

test('a schema as JSON Schema', () => {
  assert.equal(
    toJsonSchema(
      v.object({
        from: dateSchema,
        ...pagination,
        country: v.nullable(v.picklist(['DE', 'FR'])),
        at: v.optional(v.nullable(timeSchema)),
      }),
    ),
    {
      type: 'object',
      properties: {
        from: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date' },
        limit: { type: 'integer', minimum: 1, maximum: 200, description: 'Maximum number of rows.', default: 25 },
        offset: { type: 'integer', minimum: 0, description: 'Number of rows to skip.', default: 0 },
        country: { type: ['string', 'null'], enum: ['DE', 'FR', null] },
        at: { type: ['string', 'null'], format: 'date-time' },
      },
      required: ['from', 'country'],
    },
  )
})

test('schemas without a JSON Schema are refused at startup', () => {
  const transform = v.pipe(
    v.string(),
    v.transform(text => text.length),
  )
  assert.throws(() => toJsonSchema(transform), /transform/)
  assert.throws(() => toJsonSchema(v.object({ a: v.date() })), /date/)
  assert.throws(() => toJsonSchema(v.pipe(v.string(), v.ipv4())), /ipv4/)
})

const document = JSON.parse(
  JSON.stringify(createOpenApi(withDocuments(endpoints, '/wp-json', '1.2.3'), '/wp-json/analytics/v1', '1.2.3')),
)

test('a validator accepts the document as OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(document)
  assert.ok(valid, JSON.stringify(errors))
})

test('every endpoint is in the document once, with a unique id', () => {
  const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    path => Object.values(path),
  )
  assert.is(operations.length, endpoints.length + 2)
  assert.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  assert.ok(operations.some(({ operationId }) => operationId === 'getNamesByName'))
})

test('the response checker finds undocumented keys, statuses, codes and wrong types', () => {
  const check = answerChecker(document)
  const rows = '/wp-json/analytics/v1/rows'
  const meta = { limit: 1, offset: 0, order: 'asc', exact: false }
  assert.equal(check('GET', rows, 200, { data: [], meta }), [])
  assert.is(check('GET', rows, 200, { data: [], meta, more: 1 }).length, 1)
  assert.is(check('GET', rows, 200, { data: [{ page: '/', views: '1', by: { country: 'DE' } }], meta }).length, 1)
  assert.is(check('GET', rows, 200, undefined).length, 1)
  assert.is(check('GET', rows, 418, {}).length, 1)
  assert.is(check('GET', rows, 401, { code: 'other', message: 'a', data: { status: 401 } }).length, 1)
  assert.equal(check('GET', rows, 401, { code: 'rest_forbidden', message: 'a', data: { status: 401 } }), [])
  assert.is(check('GET', `${rows}/x`, 200, {}).length, 1)
  assert.equal(check('GET', `${rows}?_fields=data`, 200, { data: [] }), [])
  assert.equal(check('GET', '/healthz', 200, { any: 'thing' }), [])
})

test('responses can be checked against the schema alone', () => {
  const given = endpoint({
    method: 'GET',
    path: '/x',
    can: 'public',
    tag: 'Operation',
    summary: 'x',
    output: v.object({ a: v.number() }),
    handle: () => ({ data: { a: 1 } }),
  })
  assert.equal(checkAnswer(given, { a: 1 }), [])
  assert.match(checkAnswer(given, { a: 'b' })[0] ?? '', /^a: /)
  assert.is(checkAnswer({ output: null }, {}).length, 1)
})

test.run()
