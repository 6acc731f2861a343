// Takes out of an ELF executable what is read by debuggers alone, as strip does, but the same way on every machine.

const [sectionsAt, headerSizeAt, countAt, namesIndexAt] = [0x28, 0x3a, 0x3c, 0x3e]
/** Of sections that a running program has in memory. */
const allocated = 0x2n
const keptNames = ['', '.comment', '.shstrtab']

/** A 64-bit little-endian executable without its symbols and debugging data. What runs stays where it is. */
export const strip = executable => {
  const table = Number(executable.readBigUInt64LE(sectionsAt))
  const headerSize = executable.readUInt16LE(headerSizeAt)
  const headers = Array.from({ length: executable.readUInt16LE(countAt) }, (_, index) =>
    Buffer.from(executable.subarray(table + index * headerSize, table + (index + 1) * headerSize)),
  )
  const contents = header => {
    const start = Number(header.readBigUInt64LE(0x18))
    return executable.subarray(start, start + Number(header.readBigUInt64LE(0x20)))
  }
  const names = headers[executable.readUInt16LE(namesIndexAt)]
  const nameOf = header => contents(names).toString('latin1', header.readUInt32LE(0)).split('\0', 1)[0]
  const kept = headers.filter(
    header => (header.readBigUInt64LE(8) & allocated) !== 0n || keptNames.includes(nameOf(header)),
  )
  // Sections name one another by their numbers, and those before the names keep theirs.
  if (kept.at(-1) !== names || kept.slice(0, -1).some((header, index) => header !== headers[index]))
    throw new Error('What debuggers read is not at the end of the executable.')
  const lastKept = kept.at(-2)
  const end = Number(lastKept.readBigUInt64LE(0x18)) + contents(lastKept).length
  const nameBytes = contents(names)
  names.writeBigUInt64LE(BigInt(end), 0x18)
  const padding = Buffer.alloc(-(end + nameBytes.length) & 7)
  const head = Buffer.from(executable.subarray(0, end))
  head.writeBigUInt64LE(BigInt(end + nameBytes.length + padding.length), sectionsAt)
  head.writeUInt16LE(kept.length, countAt)
  head.writeUInt16LE(kept.length - 1, namesIndexAt)
  return Buffer.concat([head, nameBytes, padding, ...kept])
}
