import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fillRouteTemplate, parseRouteTemplate, segmentFault, type RouteTemplate } from './route-template.js';

function template(path: string): RouteTemplate {
  const parsed = parseRouteTemplate(path);
  if (parsed === undefined) throw new Error(`${path} is no template`);
  return parsed;
}

describe('route templates', () => {
  it.each([
    ['/notes', []],
    ['/notes/:id', ['id']],
    ['/flights/:from-:to', ['from', 'to']],
    ['/notes/:id(\\d+)/x', ['id']],
    ['/files/:name.json', ['name']],
  ])('reads the parameters of %s', (path, parameters) => {
    expect(template(path).parameters).toEqual(parameters);
  });

  it.each(['/files/*path', '/notes{/:id}', '/a/(.*)', '/notes/:id?', '/notes/:id+', '/*'])(
    'refuses %s, whose address is not one',
    (path) => {
      expect(parseRouteTemplate(path)).toBeUndefined();
    },
  );

  it('keeps each value within its segment', () => {
    const filled = fillRouteTemplate(template('/notes/:id/x'), { id: 'a/../b?c#d' });
    expect(filled).toBe('/notes/a%2F..%2Fb%3Fc%23d/x');
  });

  it('encodes what is literal in the path once', () => {
    expect(fillRouteTemplate(template('/caf\u00e9/a%20b/:id'), { id: '1' })).toBe('/caf%C3%A9/a%20b/1');
  });

  it.each([
    ['', 'empty'],
    ['.', 'dot_segment'],
    ['..', 'dot_segment'],
    ['\ud800', 'malformed_text'],
    ['a..b', undefined],
    ['...', undefined],
  ])('tells whether %j can stand in a path', (value, fault) => {
    expect(segmentFault(value)).toBe(fault);
  });

  it('round-trips every value that it takes, and never adds a segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        if (segmentFault(value) !== undefined) return;
        const filled = fillRouteTemplate(template('/notes/:id'), { id: value });
        expect(filled.split('/')).toHaveLength(3);
        expect(decodeURIComponent(filled.slice('/notes/'.length))).toBe(value);
      }),
    );
  });
});
