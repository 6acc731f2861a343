export const strip: (executable: Buffer) => Buffer
