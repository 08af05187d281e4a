import { describe, expect, it } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { BootFaults } from '../../common/index.js';
import { reportDeclarationFaults } from './declaration-faults.js';
import { egressOperation, type EgressOperation, type EgressOperationDeclaration } from './egress-operation.js';
import { egressService } from './egress-service.js';
import type { EgressShape } from './egress-shape.js';

class Args {
  @IsString() id!: string;
  @IsOptional() @IsInt() limit?: number;
}

class Bare {
  id!: string;
}

type LooseDeclaration = Partial<Record<keyof EgressOperationDeclaration<string, EgressShape, EgressShape>, unknown>>;

/** Declares what the types would not let through, as plain JavaScript could. */
function declared(declaration: LooseDeclaration): EgressOperation {
  const whole = { name: 'read', method: 'POST', path: '/files/{id}', args: Args, ...declaration };
  return egressOperation(whole as EgressOperationDeclaration<string, EgressShape, EgressShape>);
}

function faultsOf(...operations: EgressOperation[]): string[] {
  const faults = new BootFaults();
  reportDeclarationFaults(egressService({ name: 'files', operations }), faults);
  expect(new Set(faults.list.map(({ code }) => code)).size).toBeLessThan(2);
  return faults.list.map(({ message }) => message);
}

const anySchema = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };

describe('reportDeclarationFaults', () => {
  it.each<[string, LooseDeclaration]>([
    ['a placeholder, query and body', { query: ['limit'] }],
    ['a placeholder inside a segment', { path: '/models/{id}:generate' }],
    ['two placeholders', { path: '/a/{id}/b/{limit}' }],
    ['a Standard Schema, whose properties are not known', { args: anySchema, path: '/a/{anything}', query: ['other'] }],
    ['a function that is a Standard Schema', { args: Object.assign(() => 0, anySchema) }],
    ['no arguments', { args: undefined, path: '/health', method: 'GET' }],
    ['a header', { headers: { 'x-limit': 'limit' } }],
    ['a GET with every argument in a place', { method: 'GET', query: ['limit'] }],
    ['a slash at the end', { path: '/files/{id}/' }],
  ])('has nothing against %s', (_, declaration) => {
    expect(faultsOf(declared(declaration))).toEqual([]);
  });

  it.each<[string, LooseDeclaration, RegExp]>([
    ['a placeholder that is not an argument', { path: '/files/{name}' }, /names "name", which is not a property/],
    ['a placeholder without arguments', { args: undefined }, /names "id", which is not a property/],
    ['a query in the path', { path: '/files/{id}?limit={limit}' }, /must not have "\?" or "#"/],
    ['a fragment in the path', { path: '/files/{id}#top' }, /must not have "\?" or "#"/],
    ['a dot segment', { path: '/files/../{id}' }, /"\." or "\.\." segments/],
    ['an encoded dot segment', { path: '/files/%2E%2e/{id}' }, /"\." or "\.\." segments/],
    ['an empty segment', { path: '/files//{id}' }, /empty segments/],
    ['a path without a slash', { path: 'files/{id}' }, /must begin with "\/"/],
    ['a whole URL', { path: 'https://evil.test/{id}' }, /must begin with "\/"/],
    ['a backslash', { path: '/files\\{id}' }, /a path cannot carry/],
    ['a space', { path: '/files /{id}' }, /a path cannot carry/],
    ['an open brace', { path: '/files/{id' }, /a path cannot carry/],
    ['a lone percent', { path: '/files/%/{id}' }, /"%" that encodes nothing/],
    ['a placeholder that names nothing', { path: '/files/{}' }, /not a property name/],
    ['a placeholder twice', { path: '/files/{id}/{id}' }, /one placeholder twice/],
    ['a colon as in Express', { path: '/files/:id' }, /write "\{id\}"/],
    ['a query argument that does not exist', { query: ['offset'] }, /`query` names "offset"/],
    ['an argument in two places', { query: ['id'] }, /"id" already has a place/],
    ['a header argument that does not exist', { headers: { 'x-a': 'constructor' } }, /`headers` names "constructor"/],
    ['a credential as an argument', { headers: { Authorization: 'limit' } }, /use `credentials` of the service/],
    ['a framing header', { headers: { 'Content-Length': 'limit' } }, /the transport owns/],
    ['a header name that is none', { headers: { 'x a': 'limit' } }, /not a header name/],
    ['a header twice', { headers: { 'x-a': 'limit', 'X-A': 'limit' } }, /sets "X-A" twice/],
    ['a GET with a body', { method: 'GET' }, /GET has no body to put "limit" into/],
    ['a HEAD with a reply', { method: 'HEAD', query: ['limit'], returns: Args }, /HEAD has no reply/],
    ['an unknown method', { method: 'TRACE' }, /its method must be one of/],
    ['a class without decorators', { returns: Bare }, /`returns` \(Bare\) has no class-validator decorators/],
    ['arguments that are neither class nor schema', { args: {} }, /`args` must be a DTO class or a Standard Schema/],
    ['an empty name', { name: ' ' }, /non-empty `name`/],
  ])('reports %s', (_, declaration, message) => {
    expect(faultsOf(declared(declaration)).join('\n')).toMatch(message);
  });

  it('reports two operations of one name, and names the operation in every fault', () => {
    const faults = faultsOf(declared({}), declared({}), declared({ name: 'other', path: 'x' }));
    expect(faults).toHaveLength(2);
    expect(faults[0]).toMatch(/^Egress operation files\.read: two operations/);
    expect(faults[1]).toMatch(/^Egress operation files\.other: its path must begin/);
  });
});
