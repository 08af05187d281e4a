/**
 * The Node request underneath: what a handler gets is that very object on Express, and a wrapper with `raw` on Fastify.
 * Facts about one request are kept by this identity, so that no middleware that loses its async context can lose them.
 */
export function rawRequestOf(request: unknown): object | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const raw: unknown = Reflect.get(request, 'raw');
  return typeof raw === 'object' && raw !== null ? raw : request;
}
