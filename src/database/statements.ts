/** The statements of a file of src/sql by name: each is below a line `-- name: NAME`. */
export const parseStatements = (text: string): Map<string, string> => {
  const sections = text.split(/^-- name: (.+)\n/m).slice(1)
  const names = sections.filter((_, index) => index % 2 === 0)
  return new Map(names.map((name, index) => [name, `${sections[2 * index + 1]?.trimEnd()}\n`]))
}

/** Returns the statements of a file by name. @throws for another name, thus when the module loads */
export const statements = (text: string): ((name: string) => string) => {
  const known = parseStatements(text)
  return name => {
    const sql = known.get(name)
    if (sql === undefined) throw new Error(`There is no statement ${name} among ${[...known.keys()].join(', ')}.`)
    return sql
  }
}
