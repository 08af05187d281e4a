/** A route path such as `/notes/:id`, taken apart so that a request path can be built without parsing one. */
export interface RouteTemplate {
  readonly path: string;
  /** Names of the path parameters, in order. */
  readonly parameters: readonly string[];
}

/** Why a value cannot stand in a path. */
export type SegmentFault = 'empty' | 'dot_segment' | 'malformed_text';

const PARAMETER = /:([A-Za-z_$][\w$]*)(\((?:[^()\\]|\\.)*\))?/g;

/**
 * Reads a route path. Undefined where one address does not follow from the values of its parameters: wildcards, optional
 * groups, modifiers.
 */
export function parseRouteTemplate(path: string): RouteTemplate | undefined {
  const literal = path.replace(PARAMETER, '');
  if (/[*{}()?+:]/.test(literal)) return undefined;
  return { path, parameters: [...path.matchAll(PARAMETER)].map((match) => match[1] as string) };
}

/**
 * Builds the request path; it never passes through a URL parser, which would resolve dot segments. Each value stays
 * within its segment: check it with `segmentFault` first.
 */
export function fillRouteTemplate(template: RouteTemplate, values: Readonly<Record<string, string>>): string {
  let filled = '';
  let position = 0;
  for (const match of template.path.matchAll(PARAMETER)) {
    filled += encodeLiteral(template.path.slice(position, match.index));
    filled += encodeURIComponent(values[match[1] as string] ?? '');
    position = match.index + match[0].length;
  }
  return filled + encodeLiteral(template.path.slice(position));
}

/** `encodeURIComponent('..')` is `..`: what cannot be made safe by encoding is refused. */
export function segmentFault(value: string): SegmentFault | undefined {
  if (value === '') return 'empty';
  if (value === '.' || value === '..') return 'dot_segment';
  return value.isWellFormed() ? undefined : 'malformed_text';
}

function encodeLiteral(text: string): string {
  return encodeURI(text).replaceAll('%25', '%');
}
