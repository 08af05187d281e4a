/** The symbol of `await using`; some realms of Node 20 do not have it, and then helpers look for it under this name. */
export const asyncDispose: typeof Symbol.asyncDispose =
  (Symbol.asyncDispose as typeof Symbol.asyncDispose | undefined) ??
  (Symbol.for('Symbol.asyncDispose') as typeof Symbol.asyncDispose);
