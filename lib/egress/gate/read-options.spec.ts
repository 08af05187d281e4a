import { describe, expect, it } from '@jest/globals';
import { BootFaults } from '../../common/index.js';
import { bearer, headerCredential, EgressCredentials, type SecretProvider } from '../egress-credentials.js';
import { readOptions } from './read-options.js';

const baseUrl = 'https://api.provider.example/v1';
const acknowledged = { egressSensitive: true, acknowledgeDataEgress: true };

function read(options: unknown) {
  const faults = new BootFaults();
  const settings = readOptions(options, faults);
  return { settings, faults: faults.list.map(({ code, message }) => `${code}: ${message}`) };
}

function faultsOfService(service: object, root: object = {}): string[] {
  return read({ ...root, services: { model: { baseUrl, ...service } } }).faults;
}

describe('readOptions', () => {
  it('fills in the defaults and freezes them', () => {
    const { settings, faults } = read({ services: { model: { baseUrl } } });
    expect(faults).toEqual([]);
    expect(settings).toMatchObject({ isProduction: false, allowHandlers: false, warnings: [] });
    const service = settings.services.get('model');
    expect(service).toEqual({
      name: 'model',
      base: expect.objectContaining({ origin: 'https://api.provider.example', path: '/v1' }) as unknown,
      isSensitive: false,
      acknowledged: false,
      credentials: undefined,
      headers: {},
      timeoutMs: 30_000,
      headersTimeoutMs: undefined,
      redirects: 'refuse',
      retries: { max: 0, delayMs: 500, maxDelayMs: 30_000 },
      deadlineHeader: undefined,
      idempotencyKeyHeader: undefined,
      agent: undefined,
      addresses: 'any',
      idleTimeoutMs: 30_000,
      maxResponseBytes: 5_000_000,
      isHandlersOnly: false,
    });
    expect(Object.isFrozen(service)).toBe(true);
  });

  it('names every unacknowledged service in one fault, with the key to set', () => {
    const { faults } = read({
      services: {
        model: { baseUrl, egressSensitive: true },
        search: { baseUrl: 'https://search.example', egressSensitive: true, acknowledgeDataEgress: false },
        weather: { baseUrl: 'https://weather.example' },
        done: { baseUrl: 'https://done.example', ...acknowledged },
      },
    });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^http_egress_unacknowledged: Data leaves the trust boundary/);
    expect(faults[0]).toContain('"model" to https://api.provider.example: set `services.model.acknowledgeDataEgress`');
    expect(faults[0]).toContain('"search" to https://search.example: set `services.search.acknowledgeDataEgress`');
    expect(faults[0]).not.toMatch(/weather|done/);
  });

  it.each([
    ['true', 'a string'],
    ['false', 'a string'],
    [1, 'a number'],
    [{}, '`services.model.acknowledgeDataEgress` says nothing in `by`'],
    [{ by: 'me', reason: 'why', on: '2020-01-01', expires: '2020-12-31' }, 'has expired'],
    [null, 'null'],
  ])('does not take %j for an acknowledgement', (acknowledgeDataEgress, words) => {
    const faults = faultsOfService({ egressSensitive: true, acknowledgeDataEgress });
    expect(faults).toEqual([expect.stringContaining(words)]);
    expect(faults[0]).toMatch(/^http_egress_unacknowledged/);
  });

  it.each(['true', 'false', '', 1, 0, null, undefined, {}])('takes egressSensitive: %j for sensitive', (value) => {
    const [fault] = faultsOfService({ egressSensitive: value });
    expect(fault).toMatch(/^http_egress_unacknowledged/);
    expect(fault).toMatch(/`egressSensitive` is .*, which counts as sensitive/);
    expect(faultsOfService({ egressSensitive: value, acknowledgeDataEgress: true })).toEqual([]);
  });

  it('takes only false, and saying nothing, for not sensitive', () => {
    expect(faultsOfService({ egressSensitive: false })).toEqual([]);
    expect(faultsOfService({})).toEqual([]);
  });

  it('refuses an acknowledgement that is none, also where nothing is sensitive', () => {
    expect(faultsOfService({ acknowledgeDataEgress: 'true' })).toEqual([
      'egress_options_invalid: EgressHttpModule: `services.model.acknowledgeDataEgress` is a string and not a boolean.',
    ]);
  });

  it.each<[object, RegExp]>([
    [{ egressSensetive: true }, /`services\.model\.egressSensetive` is not an option/],
    [{ timeoutMs: 0 }, /`services\.model\.timeoutMs` must be a whole number/],
    [{ timeoutMs: '30000' }, /timeoutMs/],
    [{ headersTimeoutMs: 0 }, /headersTimeoutMs/],
    [{ redirects: 'follow' }, /`services\.model\.redirects` must be one of refuse, within-base/],
    [{ retries: 3 }, /`services\.model\.retries` is a number, not an object/],
    [{ retries: { max: -1 } }, /retries\.max/],
    [{ retries: { attempts: 3 } }, /retries\.attempts` is not an option/],
    [{ deadlineHeader: 'authorization' }, /deadlineHeader` sets "authorization"/],
    [{ deadlineHeader: 'two words' }, /deadlineHeader` has a name that is not a header name/],
    [{ agent: 'undici' }, /`services\.model\.agent` is a string, not an object/],
    [{ agent: { connections: 0 } }, /agent\.connections/],
    [{ agent: { sockets: 1 } }, /agent\.sockets` is not an option/],
    [{ agent: { ca: 'no PEM' } }, /agent\.ca` is no certificate in PEM/],
    [{ agent: true, addresses: 'private' }, /addresses` must be one of any, public/],
    [{ addresses: 'public' }, /addresses` is 'public' and needs `agent`/],
    [{ idempotencyKeyHeader: true }, /idempotencyKeyHeader` is a boolean, not the name of a header/],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs/],
    [{ idleTimeoutMs: Number.NaN }, /idleTimeoutMs/],
    [{ maxResponseBytes: -1 }, /maxResponseBytes/],
    [{ maxResponseBytes: Infinity }, /maxResponseBytes/],
    [{ credentials: 'hunter2' }, /`services\.model\.credentials` must be made by/],
    [{ credentials: bearer('hunter2' as unknown as SecretProvider) }, /needs a function that yields the secret/],
    [{ credentials: headerCredential('x key', () => 'hunter2') }, /names no header/],
    [{ credentials: headerCredential('Content-Length', () => 'hunter2') }, /names no header/],
    [{ headers: { authorization: 'Bearer hunter2' } }, /sets "authorization": use `credentials`/],
    [{ headers: { host: 'evil.test' } }, /the transport owns/],
    [{ headers: { 'x-version': 'a\nb' } }, /a value for "x-version" that cannot be sent/],
    [{ headers: 'x' }, /`services\.model\.headers` is a string/],
    [{ handlersOnly: 'yes' }, /`services\.model\.handlersOnly` is a string and not a boolean/],
  ])('refuses %j', (service, message) => {
    const faults = faultsOfService(service);
    expect(faults).toEqual([expect.stringMatching(message)]);
    expect(faults[0]).toMatch(/^egress_options_invalid/);
    expect(faults[0]).not.toContain('hunter2');
  });

  it.each([undefined, null, 'x', [], {}, { services: null }, { services: [] }, { services: { model: null } }])(
    'refuses %j as options',
    (options) => {
      expect(read(options).faults).toEqual([expect.stringMatching(/^egress_options_invalid/)]);
    },
  );

  it('takes instances of configuration classes', () => {
    class Options {
      services = { model: Object.assign(new (class Service {})(), { baseUrl }) };
    }
    expect(read(new Options()).faults).toEqual([]);
  });

  it('reports the faults of every service at once', () => {
    const { faults } = read({
      production: 'yes',
      services: { one: { egressSensitive: true }, two: { baseUrl, timeoutMs: -1 } },
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'egress_options_invalid',
      'egress_base_url_invalid',
      'egress_options_invalid',
      'http_egress_unacknowledged',
    ]);
  });

  it('does not repeat a password of a base URL', () => {
    const [fault] = faultsOfService({ baseUrl: 'https://user:hunter2@api.example.com' });
    expect(fault).toMatch(/^egress_base_url_invalid: `services\.model\.baseUrl` has a user or a password/);
    expect(fault).not.toContain('hunter2');
  });
});

describe('clear text', () => {
  const http = { baseUrl: 'http://api.provider.example' };
  const credentials: EgressCredentials = bearer(() => 'secret');

  it.each([
    [{ ...http, ...acknowledged }, 'sensitive data'],
    [{ ...http, credentials }, 'a credential'],
  ])('is a warning, and a fault in production: %j', (service, what) => {
    const { settings, faults } = read({ services: { model: service } });
    expect(faults).toEqual([]);
    expect(settings.warnings).toEqual([
      `[egress_cleartext] Egress service "model" sends ${what} unencrypted to http://api.provider.example. Use https.`,
    ]);
    expect(faultsOfService(service, { production: true })).toEqual([expect.stringMatching(/^egress_cleartext/)]);
  });

  it.each([
    ['https', { ...acknowledged, credentials }],
    ['loopback', { baseUrl: 'http://127.0.0.1:3000', ...acknowledged, credentials }],
    ['no credential and nothing sensitive', http],
    ['no network', { ...http, credentials, handlersOnly: true }],
  ])('is nothing to say of %s', (_, service) => {
    const { settings, faults } = read({ production: true, services: { model: { baseUrl, ...service } } });
    expect(faults).toEqual([]);
    expect(settings.warnings).toEqual([]);
  });
});
