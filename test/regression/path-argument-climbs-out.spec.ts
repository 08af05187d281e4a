import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';

// An argument was put raw into the path, and `../../admin/delete-all?` reached another endpoint with the caller's
// credentials. https://github.com/PrefectHQ/fastmcp/pull/3507

const reached: string[] = [];

@Controller()
class EverythingController {
  @Get('users/me') me(): void {
    reached.push('other');
  }
  @Get('users/me/profile') myProfile(): void {
    reached.push('other');
  }
  @Get('admin/delete-all') deleteAll(): void {
    reached.push('other');
  }
  @Post('users/export') export(): void {
    reached.push('other');
  }
  @Delete('users/all') removeAll(): void {
    reached.push('other');
  }
  @Operation() @Get('users/:id/profile') profile(@Param('id') id: string): { id: string } {
    reached.push('profile');
    return { id };
  }
  @Operation() @Get('users/:id') user(@Param('id') id: string): { id: string } {
    reached.push('user');
    return { id };
  }
  @Operation() @Delete('users/:id') remove(@Param('id') id: string): { id: string } {
    reached.push('remove');
    return { id };
  }
}

describe.each(PLATFORMS)('a path argument on %s', (platform) => {
  let dispatching: Dispatching;

  beforeEach(async () => {
    reached.length = 0;
    dispatching = await bootDispatching(platform, { controllers: [EverythingController] });
  });
  afterEach(closeApplications);

  it.each([
    '../../admin/delete-all?',
    '%2e%2e',
    '%2e%2e/admin',
    'a/b',
    'a?x=1#y',
    'a\\b',
    '..\\..',
    'a;b',
    'a%00b',
    '😀',
  ])('stays one opaque segment: %j', async (id) => {
    expect(await dispatching.call('everything__profile', { id })).toMatchObject({ isError: false, content: { id } });
    expect(reached).toEqual(['profile']);
  });

  it.each([['..'], ['.'], [''], [{}], [null], [['a']]])('is refused where it cannot: %j', async (id) => {
    expect(await dispatching.call('everything__profile', { id })).toMatchObject({
      isError: true,
      content: { code: 'tool_arguments_invalid' },
    });
    expect(reached).toEqual([]);
  });

  it.each([
    ['everything__user', 'me'],
    ['everything__profile', 'me'],
    ['everything__remove', 'all'],
  ])('does not reach the sibling of %s by %j', async (name, id) => {
    expect(await dispatching.call(name, { id })).toMatchObject({
      isError: true,
      content: { code: 'operation_identity_mismatch' },
    });
    expect(reached).toEqual([]);
  });

  it('never reaches another handler, whatever it is', async () => {
    const hostile = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '%2f',
      '%2e',
      '?',
      '#',
      ';',
      'me',
      'all',
      'profile',
      'users',
      ' ',
      '%',
      '\u0000',
    );
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join('')),
    );
    const names = fc.constantFrom('profile', 'user', 'remove');
    await fc.assert(
      fc.asyncProperty(names, values, async (name, id) => {
        reached.length = 0;
        const result = await dispatching.call(`everything__${name}`, { id });
        expect(reached.filter((handler) => handler !== name)).toEqual([]);
        if (!result.isError) expect(result.content).toEqual({ id });
        else expect(reached).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
