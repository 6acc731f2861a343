/** Ids of sessions and visitors per installation or import that they came from: the origin's number is the multiple. */
export const idsPerOrigin = 2 ** 40
