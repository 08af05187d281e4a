/** By Node request: the fields that the query bound to it may be answered with. */
const REMEMBERED = new WeakMap<object, readonly string[]>();

export function rememberReturnable(rawRequest: object, names: readonly string[]): void {
  REMEMBERED.set(rawRequest, names);
}

export function rememberedReturnable(rawRequest: object): readonly string[] | undefined {
  return REMEMBERED.get(rawRequest);
}
