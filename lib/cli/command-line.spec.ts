import { describe, expect, it } from '@jest/globals';
import { CommandError } from './command-error.js';
import { parseCommandLine } from './command-line.js';

const plain = { json: false, boot: false, platform: undefined };

describe('parseCommandLine', () => {
  it.each([
    [['inspect', 'app.js'], { name: 'inspect', module: 'app.js', ...plain }],
    [['inspect', '--json', 'app.js#AppModule'], { name: 'inspect', module: 'app.js#AppModule', ...plain, json: true }],
    [
      ['schema', 'app.js', 'notes.list', '--palette', 'answering'],
      { name: 'schema', module: 'app.js', operation: 'notes.list', palette: 'answering', ...plain },
    ],
    [['lock', 'app.js'], { name: 'lock', module: 'app.js', check: false, file: 'palette.lock.json', ...plain }],
    [
      ['lock', '--check', 'app.js', '--file=agents.lock.json', '--json', '--boot', '--platform', 'fastify'],
      {
        name: 'lock',
        module: 'app.js',
        check: true,
        file: 'agents.lock.json',
        json: true,
        boot: true,
        platform: 'fastify',
      },
    ],
    [
      ['lock', '--', '--odd-name.js'],
      { name: 'lock', module: '--odd-name.js', check: false, file: 'palette.lock.json', ...plain },
    ],
    [['migrate'], { name: 'migrate', url: undefined, schema: 'public', json: false }],
    [
      ['migrate', '--url', 'postgres://db/app', '--schema', 'agents', '--json'],
      { name: 'migrate', url: 'postgres://db/app', schema: 'agents', json: true },
    ],
    [['--help'], { name: 'tell', what: 'usage' }],
    [['lock', '-h'], { name: 'tell', what: 'usage' }],
    [['--version'], { name: 'tell', what: 'version' }],
  ])('reads %j', (argv, expected) => {
    expect(parseCommandLine(argv)).toEqual(expected);
  });

  it.each([
    [[], 'No command was given.'],
    [['unlock', 'app.js'], 'There is no command "unlock".'],
    [['inspect'], '<module> is missing.'],
    [['schema', 'app.js'], '<operation> is missing.'],
    [['inspect', 'app.js', 'more.js'], '"more.js" is one argument too many.'],
    [['inspect', 'app.js', '--check'], "Unknown option '--check'"],
    [['schema', 'app.js', 'notes.list', '--palette'], "Option '--palette <value>' argument missing"],
    [['migrate', 'app.js'], '"app.js" is one argument too many.'],
    [['migrate', '--boot'], "Unknown option '--boot'"],
    [['lock', 'app.js', '--json'], '`--json` goes with `lock --check`'],
    [['lock', 'app.js', '--platform', 'koa'], '--platform is express or fastify, not "koa".'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseCommandLine(argv)).toThrow(CommandError);
    expect(() => parseCommandLine(argv)).toThrow(message);
  });
});
