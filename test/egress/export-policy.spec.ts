import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EgressHttpModule, EgressManifest } from '../../lib/egress/index.js';

describe('the policy that a manifest exports', () => {
  let manifest: EgressManifest;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const app = await Test.createTestingModule({
      imports: [
        EgressHttpModule.forRoot({
          services: {
            model: { baseUrl: 'https://api.provider.example/v1', egressSensitive: false },
            files: { baseUrl: 'https://api.provider.example/files', egressSensitive: false },
            local: { baseUrl: 'http://127.0.0.1:8080', egressSensitive: false },
          },
        }),
      ],
    }).compile();
    manifest = app.get(EgressManifest, { strict: false });
    close = () => app.close();
  });
  afterAll(() => close());

  it('lists each host and port once, with those who need it', () => {
    expect(JSON.parse(JSON.stringify(manifest.exportPolicy(['db.internal:5432', '[fd00::1]:6379'])))).toEqual({
      egress: [
        { host: '127.0.0.1', port: 8080, protocol: 'TCP', for: ['local'] },
        { host: '[fd00::1]', port: 6379, protocol: 'TCP', for: ['infrastructure'] },
        { host: 'api.provider.example', port: 443, protocol: 'TCP', for: ['files', 'model'] },
        { host: 'db.internal', port: 5432, protocol: 'TCP', for: ['infrastructure'] },
      ],
    });
  });

  it.each(['db.internal', 'http://db.internal:5432', 'db.internal:', ''])('refuses the entry "%s"', (entry) => {
    expect(() => manifest.exportPolicy([entry])).toThrow(`"${entry}" is not "host:port"`);
  });
});
