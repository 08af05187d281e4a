/** A path with `{placeholders}`, cut into literal text and argument names, in order. */
export interface PathTemplate {
  readonly parts: readonly (string | { readonly argument: string })[];
  readonly arguments: readonly string[];
}

const PLACEHOLDER = /\{([^{}]*)\}/;
const ARGUMENT_NAME = /^[A-Za-z_$][\w$]*$/;
/** What RFC 3986 allows in a path without encoding, and `%` for what somebody encoded already. */
const LITERAL = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;

/** Cuts a template that `pathTemplateFaults` found nothing in. */
export function parsePathTemplate(path: string): PathTemplate {
  const pieces = path.split(PLACEHOLDER);
  const parts = pieces.map((piece, index) => (index % 2 === 1 ? { argument: piece } : piece));
  return { parts, arguments: pieces.filter((_, index) => index % 2 === 1) };
}

/** What is wrong with a template, in words that follow "its path". */
export function pathTemplateFaults(path: string): string[] {
  const faults: string[] = [];
  if (!path.startsWith('/')) faults.push('must begin with "/"');
  if (/[?#]/.test(path)) faults.push('must not have "?" or "#": list the arguments in `query`');
  const { parts, arguments: names } = parsePathTemplate(path);
  const literals = parts.filter((part) => typeof part === 'string');
  if (!literals.every((literal) => LITERAL.test(literal.replace(/[?#]/g, '')))) {
    faults.push('has braces or characters that a path cannot carry');
  }
  if (/%(?![0-9A-Fa-f]{2})/.test(path)) faults.push('has a "%" that encodes nothing');
  if (!names.every((name) => ARGUMENT_NAME.test(name))) faults.push('has a placeholder that is not a property name');
  if (new Set(names).size < names.length) faults.push('has one placeholder twice');
  return [...faults, ...segmentFaults(path)];
}

function segmentFaults(path: string): string[] {
  const segments = path.split('/').slice(1);
  const faults: string[] = [];
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) faults.push('must not have "." or ".." segments');
  if (segments.slice(0, -1).includes('')) faults.push('must not have empty segments');
  const colon = segments.find((segment) => segment.startsWith(':'));
  if (colon !== undefined) faults.push(`writes a placeholder as "${colon}": write "{${colon.slice(1)}}"`);
  return faults;
}
