import { describe, expect, it } from '@jest/globals';
import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import { egressOperation } from '../declaration/egress-operation.js';
import type { EgressOperation } from '../declaration/egress-operation.js';
import type { StandardSchema } from '../declaration/standard-schema.js';
import { parseEgressBase, type EgressBase } from './egress-base.js';
import { RequestPlacement } from './place-arguments.js';

const anything: StandardSchema<Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value: value as Record<string, unknown> }),
  },
};

class Args {
  @IsString() id!: string;
  @IsOptional() @IsArray() tags?: string[];
  @IsOptional() @IsString() tenant?: string;
  @IsOptional() @IsObject() rest?: object;
}

const placing = { path: '/files/{id}', args: Args, query: ['tags'], headers: { 'X-Tenant': 'tenant' } } as const;
const post = egressOperation({ ...placing, name: 'post', method: 'POST' });
const form = egressOperation({ ...placing, name: 'form', method: 'PUT', encoding: 'form' });
const remove = egressOperation({ ...placing, name: 'remove', method: 'DELETE' });
const free = egressOperation({ name: 'free', method: 'POST', path: '/free', args: anything });
const freeGet = egressOperation({ name: 'freeGet', method: 'GET', path: '/free', args: anything, query: ['a'] });
const ping = egressOperation({ name: 'ping', method: 'POST', path: '/ping' });

const base = (parseEgressBase('https://api.example.com/v1') as { base: EgressBase }).base;

function place(operation: EgressOperation, wire: unknown) {
  const placement = new RequestPlacement(operation, { service: 'api', operation: operation.name });
  return placement.place(base, { accept: 'text/plain', 'x-version': '1' }, wire);
}

describe('RequestPlacement', () => {
  it('puts each argument into its place, and the rest into a JSON body', () => {
    const request = place(post, { id: 'a/b', tags: ['x y', 'z&'], tenant: 'acme', rest: { a: [1, null] } });
    expect(request.address).toBe('https://api.example.com/v1/files/a%2Fb?tags=x%20y&tags=z%26');
    expect(request.body).toBe('{"rest":{"a":[1,null]}}');
    expect(Object.fromEntries(request.headers)).toEqual({
      accept: 'text/plain',
      'content-type': 'application/json',
      'x-tenant': 'acme',
      'x-version': '1',
    });
  });

  it('leaves out what is null or undefined in query and headers', () => {
    const request = place(post, { id: 'a', tags: null, tenant: undefined });
    expect(request.address).toBe('https://api.example.com/v1/files/a');
    expect(request.headers.has('x-tenant')).toBe(false);
  });

  it('sends an empty object where body properties are declared and none is given', () => {
    expect(place(post, { id: 'a' }).body).toBe('{}');
    expect(place(remove, { id: 'a' }).body).toBeUndefined();
    expect(place(ping, {}).body).toBeUndefined();
  });

  it('encodes a form', () => {
    const request = place(form, { id: 'a', title: 'a b&c', list: [1, 2], none: null });
    expect(request.body).toBe('title=a+b%26c&list=1&list=2');
    expect(request.headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/);
  });

  it('sends any JSON value where no argument has a place', () => {
    expect(place(free, [1, 2]).body).toBe('[1,2]');
    expect(place(free, 'text').body).toBe('"text"');
    expect(place(free, JSON.parse('{"__proto__":1,"constructor":2}')).body).toBe('{"__proto__":1,"constructor":2}');
  });

  it.each<[string, EgressOperation, unknown, string, string]>([
    ['a path parameter that is absent', post, {}, 'id', 'missing'],
    ['a path parameter that is inherited', post, Object.create({ id: 'a' }), 'id', 'missing'],
    ['a dot segment', post, { id: '..' }, 'id', 'dot_segment'],
    ['an empty path parameter', post, { id: '' }, 'id', 'empty'],
  ])('refuses %s', (_, operation, wire, property, constraint) => {
    expect(() => place(operation, wire)).toThrow(
      expect.objectContaining({
        code: 'egress_path_parameter_invalid',
        details: { faults: [{ property, constraints: [constraint] }] },
      }),
    );
  });

  const circular: Record<string, unknown> = { id: 'a' };
  circular['self'] = circular;

  it.each<[string, EgressOperation, unknown, string, string]>([
    ['an object in the query', post, { id: 'a', tags: [{}] }, 'tags', 'isText'],
    ['a lone surrogate in the query', post, { id: 'a', tags: '\ud800' }, 'tags', 'isWellFormed'],
    ['a line break in a header', post, { id: 'a', tenant: 'a\r\nx: y' }, 'tenant', 'isHeaderValue'],
    ['an object in a form', form, { id: 'a', rest: {} }, 'rest', 'isText'],
    ['what a GET has no place for', freeGet, { a: 1, b: 2 }, 'b', 'hasPlace'],
    ['a list where arguments have places', post, ['a'], '', 'json'],
    ['a cycle', free, circular, '', 'json'],
    ['a bigint', free, { a: 1n }, '', 'json'],
  ])('refuses %s', (_, operation, wire, property, constraint) => {
    expect(() => place(operation, wire)).toThrow(
      expect.objectContaining({
        code: 'egress_arguments_invalid',
        details: { faults: [{ property, constraints: [constraint] }] },
      }),
    );
  });
});
