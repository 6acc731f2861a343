// The conditions of a segment.
import { type FilterText, readFilterText, type Value } from './filters/syntax.ts'
import { type FilterKey, isExact, isFilterKey, isPropertyFilter, propertyPrefix } from './filters/table.ts'

/** Values are as the database compares them: those of inexact filters are in lower case. */
export type Condition = { key: FilterKey; name: string } & FilterText
export type PropertyCondition = { key: 'property'; name: string; property: string } & FilterText
/** The conditions that a session or view fulfils; several may be about the same key. */
export type Segment = readonly (Condition | PropertyCondition)[]

const comparable = (name: string, value: Value): Value =>
  isExact(name) ? value : { ...value, text: value.text.toLowerCase() }

export const readCondition = (name: string, text: string): Segment => {
  const { included, values } = readFilterText(name, text)
  const condition = { name, included, values: values.map(value => comparable(name, value)) }
  if (isPropertyFilter(name)) return [{ key: 'property', property: name.slice(propertyPrefix.length), ...condition }]
  return isFilterKey(name) ? [{ key: name, ...condition }] : []
}
