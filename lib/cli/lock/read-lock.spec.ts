import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandError } from '../command-error.js';
import { readLock } from './read-lock.js';

const tool = { operation: 'a', annotations: {}, arguments: {}, schema: '', definition: '' };
const empty = { lockfileVersion: 1, operations: {}, palettes: {}, egress: {} };
const policy = { sentence: '', filterable: { a: ['$eq'] }, sortable: [], aggregatable: {}, returnable: [], maxSize: 1 };
const withTool = (each: object) => ({ ...empty, palettes: { p: { readOnly: true, include: [], tools: { a: each } } } });

describe('readLock', () => {
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestjs-palette-lock-'));
    file = join(folder, 'palette.lock.json');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([[empty], [withTool(tool)], [withTool({ ...tool, policy })]])('reads %j', async (lock) => {
    await writeFile(file, JSON.stringify(lock));
    expect(await readLock(file)).toEqual(lock);
  });

  it('is undefined where there is no file', async () => {
    expect(await readLock(join(folder, 'none.json'))).toBeUndefined();
  });

  it.each([
    ['text that is not JSON', '<<<<<<< ours', 'is not JSON: a merge conflict, perhaps'],
    ['a list', '[]', 'is not a lockfile'],
    ['no version', '{}', 'has lockfileVersion none; this nestjs-palette reads 1'],
    ['a later version', '{"lockfileVersion":2}', 'has lockfileVersion 2; this nestjs-palette reads 1'],
    ['missing parts', '{"lockfileVersion":1}', 'is damaged'],
    ['a palette without tools', JSON.stringify({ ...empty, palettes: { p: {} } }), 'is damaged'],
    ['a tool without arguments', JSON.stringify(withTool({ ...tool, arguments: 1 })), 'is damaged'],
    ['a policy without fields', JSON.stringify(withTool({ ...tool, policy: {} })), 'is damaged'],
    [
      'an operator list that is text',
      JSON.stringify(withTool({ ...tool, policy: { ...policy, filterable: { a: '$eq' } } })),
      'is damaged',
    ],
    ['a service without operations', JSON.stringify({ ...empty, egress: { s: {} } }), 'is damaged'],
  ])('refuses %s', async (_what, text, message) => {
    await writeFile(file, text);
    await expect(readLock(file)).rejects.toThrow(CommandError);
    await expect(readLock(file)).rejects.toThrow(message);
  });

  it('refuses a folder', async () => {
    await expect(readLock(folder)).rejects.toThrow('cannot be read');
  });
});
