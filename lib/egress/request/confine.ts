import { EgressError, type EgressCallName } from '../egress-error.js';
import type { EgressBase } from './egress-base.js';
import { hasDotSegment, pathReadings, withoutDotSegments } from './segments.js';

const MAX_LENGTH = 65_536;
/** C0, space, DEL and C1: `new URL` drops some of them in silence, so the check is on the raw string. */
const CONTROL = /[\u0000-\u0020\u007f-\u009f]/;
const ENCODED_CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The address of a request, if it stays below the service's base URL in every reading that a server may have of it.
 * Comparing origin and prefix of the parsed URL is not enough: parsing repairs, and servers decode.
 *
 * @throws EgressError `egress_outside_base_url` where it leads elsewhere, `egress_url_malformed` where it is not plain.
 * @see https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function confine(base: EgressBase, address: string, call: EgressCallName): URL {
  if (address.length > MAX_LENGTH) throw malformed(call, `is longer than ${MAX_LENGTH} characters`);
  const url = URL.canParse(address, base.origin) ? new URL(address, base.origin) : undefined;
  if (url !== undefined && isOutside(base, url)) throw new EgressError('egress_outside_base_url', call);
  const fault = addressFault(base, address);
  if (url !== undefined && fault === undefined) return url;
  throw malformed(call, fault ?? 'is not a URL');
}

function malformed(call: EgressCallName, what: string): EgressError {
  return new EgressError('egress_url_malformed', call, { parameters: { what } });
}

function isOutside(base: EgressBase, url: URL): boolean {
  if (url.origin !== base.origin) return true;
  const readings = pathReadings(url.pathname) ?? [];
  return readings.some((reading) => !isBelow(base.path, withoutDotSegments(reading)));
}

/** A reading is decoded and the prefix may be encoded, so the prefix counts as met in any of its own readings. */
function isBelow(prefix: string, path: string): boolean {
  return (pathReadings(prefix) ?? [prefix]).some((reading) => path === reading || path.startsWith(`${reading}/`));
}

function addressFault(base: EgressBase, address: string): string | undefined {
  if (CONTROL.test(address)) return 'has a control character or a space';
  if (/\p{Surrogate}/u.test(address)) return 'has a lone surrogate';
  if (address.includes('\\')) return 'has a backslash';
  if (address.includes('#')) return 'has a fragment';
  const [, scheme, authority, path = ''] = /^(https?):\/\/([^/?]+)([^?]*)/i.exec(address) ?? [];
  if (scheme === undefined || authority === undefined) return 'is not an absolute http or https URL';
  if (!isCanonicalAuthority(base, authority.toLowerCase())) return 'does not spell the host plainly';
  return path.startsWith(base.path) ? pathFault(path) : 'does not spell the path prefix plainly';
}

function isCanonicalAuthority(base: EgressBase, authority: string): boolean {
  return authority === base.host || authority === `${base.host}:${base.isHttps ? 443 : 80}`;
}

function pathFault(path: string): string | undefined {
  if (path.split('/').slice(1, -1).includes('')) return 'has an empty path segment';
  if (!isDecodable(path)) return 'has a "%" that encodes nothing';
  const readings = pathReadings(path);
  if (readings === undefined) return 'is encoded in a way that servers disagree about';
  if (readings.some(hasDotSegment)) return 'has a "." or ".." segment';
  return readings.some((reading) => ENCODED_CONTROL.test(reading)) ? 'has an encoded control character' : undefined;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
