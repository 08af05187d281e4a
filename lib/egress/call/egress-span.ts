import { PALETTE, telemetry, type SpanAttributes } from '../../telemetry/index.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import type { OutboundRequest } from '../request/outbound-request.js';

/**
 * Runs one attempt inside a CLIENT span, up to the head of its answer, and tells the upstream which span that is.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client-span
 */
export async function withinSpan(
  settings: EgressServiceSettings,
  request: OutboundRequest,
  attempt: () => Promise<Response>,
): Promise<Response> {
  const template = request.operation && `${settings.base.path}${request.operation.path}`;
  const span = telemetry.startSpan(template === undefined ? request.method : `${request.method} ${template}`, {
    kind: 'client',
    attributes: () => attributesOf(settings, request, template),
  });
  try {
    const response = await span.run(() => {
      telemetry.inject(request.headers);
      return attempt();
    });
    const { status } = response;
    span.set({ 'http.response.status_code': status });
    span.end(status >= 400 ? String(status) : undefined);
    return response;
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

function attributesOf(
  settings: EgressServiceSettings,
  { call, method, url }: OutboundRequest,
  template: string | undefined,
): SpanAttributes {
  return {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    'url.full': withoutQueryValues(url),
    'url.template': template,
    [PALETTE.egressService]: call.service,
    [PALETTE.egressOperation]: call.operation,
    [PALETTE.egressSensitive]: settings.isSensitive,
  };
}

/** Which parameters were sent, and not what they said. */
function withoutQueryValues(url: URL): string {
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=REDACTED`);
  return `${url.origin}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`;
}
