import type { OperationAddress, OperationDescriptor } from '../../operations/index.js';

/**
 * `POST /v1/notes/list`; headers that the router chooses by follow: `GET /notes [host: api.example]`. For a message handler,
 * its pattern: `MESSAGE {"cmd":"notes"}`.
 */
export function routeText({ route, message }: OperationDescriptor, address: OperationAddress | undefined): string {
  if (route === undefined) return `MESSAGE ${patternText(message?.patterns[0])}`;
  const headers = Object.entries(address?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const text = `${route.httpMethod} ${address?.template.path ?? ''}`;
  return headers.length === 0 ? text : `${text} [${headers.sort().join(', ')}]`;
}

function patternText(pattern: unknown): string {
  return typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
}
