import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type INestApplicationContext, type LoggerService, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString } from 'class-validator';
import { PaletteBootError, Sensitive } from '../../lib/common/index.js';
import {
  EgressClient,
  EgressHandlers,
  EgressHttpModule,
  EgressManifest,
  InjectEgress,
  bearer,
  egressOperation,
  egressService,
  type EgressHttpModuleOptions,
} from '../../lib/egress/index.js';
import { messages, modelService } from './support/model-service.js';

const baseUrl = 'https://api.provider.example/base';
const sensitive = { baseUrl, egressSensitive: true };
const accepted = { ...sensitive, acknowledgeDataEgress: true };

@Injectable()
class Answers {
  constructor(@InjectEgress(modelService) readonly model: EgressClient<typeof modelService>) {}
}

@Module({ imports: [EgressHttpModule.forFeature([modelService])], providers: [Answers] })
class AnswersModule {}

/** An application in which the root of egress is configured in a module of its own. */
function application(root: () => ReturnType<typeof EgressHttpModule.forRoot>, ...features: Type[]): Type {
  const imports = [root(), ...features];
  @Module({ imports })
  class AppModule {}
  return AppModule;
}

function statically(services: object, more: object = {}): Type {
  return application(() => EgressHttpModule.forRoot({ ...more, services } as EgressHttpModuleOptions), AnswersModule);
}

function asynchronously(services: object): Type {
  const useFactory = async (): Promise<EgressHttpModuleOptions> => ({ services }) as EgressHttpModuleOptions;
  return application(() => EgressHttpModule.forRootAsync({ useFactory }), AnswersModule);
}

let running: INestApplicationContext | undefined;

async function boot(appModule: Type, logger: false | LoggerService = false): Promise<INestApplicationContext> {
  running = await NestFactory.create(appModule, { logger, abortOnError: false });
  await running.init();
  return running;
}

async function bootError(appModule: Type): Promise<PaletteBootError> {
  const error: unknown = await boot(appModule).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!PaletteBootError.isInstance(error)) throw new Error(`not a boot error: ${String(error)}`);
  return error;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('the gate', () => {
  it('refuses static configuration before Nest runs, with the code, the key and the reason in the message', () => {
    expect(() => statically({ model: sensitive })).toThrow(
      /^\[http_egress_unacknowledged\] Data leaves the trust boundary .*"model".*`services\.model\.acknowledgeDataEgress`/,
    );
  });

  it('boots static configuration that is acknowledged', async () => {
    const app = await boot(statically({ model: accepted }));
    expect(app.get(Answers, { strict: false }).model).toBeInstanceOf(EgressClient);
  });

  it('refuses asynchronous configuration in its factory', async () => {
    const error = await bootError(asynchronously({ model: sensitive }));
    expect(error.message).toMatch(/^\[http_egress_unacknowledged\]/);
    expect(error.code).toBe('http_egress_unacknowledged');
  });

  it('boots asynchronous configuration that is acknowledged', async () => {
    const app = await boot(asynchronously({ model: accepted }));
    expect(app.get(Answers, { strict: false }).model).toBeInstanceOf(EgressClient);
  });

  it('takes its options from a class as well', async () => {
    class Options {
      create(): EgressHttpModuleOptions {
        return { services: { model: accepted } };
      }
    }
    class Refused {
      create(): EgressHttpModuleOptions {
        return { services: { model: sensitive } };
      }
    }
    const withClass = (useClass: Type): Type =>
      application(() => EgressHttpModule.forRootAsync({ useClass }), AnswersModule);
    await expect(bootError(withClass(Refused))).resolves.toMatchObject({ code: 'http_egress_unacknowledged' });
    await expect(boot(withClass(Options))).resolves.toBeDefined();
  });

  it('names all services of an asynchronous configuration in one error', async () => {
    const error = await bootError(
      asynchronously({
        model: { ...sensitive, acknowledgeDataEgress: 'true' },
        search: { ...sensitive, egressSensitive: 'false' },
        weather: { baseUrl },
      }),
    );
    expect(error.faults).toHaveLength(1);
    expect(error.message).toMatch(/"model".*is a string and not a boolean.*"search".*is a string, which counts/);
    expect(error.message).not.toContain('weather');
  });

  it('is not lifted by a handler', async () => {
    @Injectable()
    class Canned {
      constructor(handlers: EgressHandlers) {
        handlers.on(modelService, messages, () => ({ text: 'canned' }));
      }
    }
    const withHandler = (services: object): Type => {
      @Module({ imports: [asynchronously(services)], providers: [Canned] })
      class WithHandler {}
      return WithHandler;
    };
    const error = await bootError(withHandler({ model: { ...sensitive, handlersOnly: true } }));
    expect(error.code).toBe('http_egress_unacknowledged');
    const app = await boot(withHandler({ model: accepted }));
    const { model } = app.get(Answers, { strict: false });
    await expect(model.invoke(messages, { question: '' })).resolves.toEqual({ text: 'canned' });
  });

  it('refuses an acknowledgement that has expired, and takes one that has not', async () => {
    const acknowledgeDataEgress = { by: 'DPO', reason: 'contract', on: '2024-01-01', expires: '2024-12-31' };
    expect(() => statically({ model: { ...sensitive, acknowledgeDataEgress } })).toThrow(/has expired/);
    const valid = { ...acknowledgeDataEgress, expires: '9999-12-31' };
    const app = await boot(statically({ model: { ...sensitive, acknowledgeDataEgress: valid } }));
    expect(app.get(EgressManifest).services[0]?.acknowledged).toEqual(valid);
  });
});

describe('what only shows where declarations and configuration meet', () => {
  class Person {
    @IsString() @Sensitive('pii') email!: string;
  }
  const report = egressOperation({ name: 'report', method: 'POST', path: '/report', args: Person });
  const reports = egressService({ name: 'reports', operations: [report] });

  @Module({ imports: [EgressHttpModule.forFeature([reports])] })
  class ReportsModule {}

  function withReports(services: object): Type {
    return application(
      () => EgressHttpModule.forRoot({ services } as EgressHttpModuleOptions),
      AnswersModule,
      ReportsModule,
    );
  }

  it('refuses a service that nobody configured, and a sensitive field on a service that is not sensitive, at once', async () => {
    const error = await bootError(withReports({ reports: { baseUrl } }));
    expect(error.faults.map(({ code }) => code).sort()).toEqual([
      'egress_sensitive_field',
      'egress_service_unconfigured',
    ]);
    expect(error.message).toContain('Person.email (pii) is marked @Sensitive and would leave through reports.report');
    expect(error.message).toContain('Egress service "model" is declared');
  });

  it('boots where the service is sensitive and acknowledged', async () => {
    await expect(boot(withReports({ reports: accepted, model: { baseUrl } }))).resolves.toBeDefined();
  });

  it('refuses two declarations of one name', async () => {
    @Module({ imports: [EgressHttpModule.forFeature([egressService({ name: 'model', operations: [] })])] })
    class Second {}
    const root = () => EgressHttpModule.forRoot({ services: { model: { baseUrl } } });
    const error = await bootError(application(root, AnswersModule, Second));
    expect(error.message).toMatch(/egress_declaration_invalid.*two declarations have this name/);
  });

  it('shares one client between modules that declare the same service', async () => {
    @Module({ imports: [EgressHttpModule.forFeature([modelService])], providers: [Answers], exports: [Answers] })
    class Other {}
    const root = () => EgressHttpModule.forRoot({ services: { model: { baseUrl } } });
    const app = await boot(application(root, AnswersModule, Other));
    expect(app.select(Other).get(Answers).model).toBe(app.select(AnswersModule).get(Answers).model);
  });

  it('refuses a second root, and a feature without a root', async () => {
    const services = { model: { baseUrl } };
    @Module({ imports: [EgressHttpModule.forRoot({ services })] })
    class Second {}
    const twice = await bootError(application(() => EgressHttpModule.forRoot({ services }), Second, AnswersModule));
    expect(twice.message).toMatch(/^\[egress_module_duplicate\] EgressHttpModule.forRoot is imported 2 times/);
    const without = await bootError(AnswersModule);
    expect(without.message).toMatch(/^\[egress_service_unconfigured\]/);
  });

  it('reports every fault of a declaration as it is declared', () => {
    const one = egressOperation({ name: 'one', method: 'GET', path: '/a/../b' });
    const two = egressOperation({ name: 'one', method: 'GET', path: '/a?b' });
    const service = egressService({ name: 'faulty', operations: [one, two] });
    expect(() => EgressHttpModule.forFeature([service])).toThrow(
      expect.objectContaining({ faults: [expect.anything(), expect.anything(), expect.anything()] }),
    );
    expect(() => EgressHttpModule.forFeature([modelService])).not.toThrow();
  });
});

describe('two applications in one process', () => {
  it('do not see each other', async () => {
    const first = await NestFactory.create(statically({ model: { baseUrl: 'https://one.example' } }), {
      logger: false,
    });
    const second = await NestFactory.create(statically({ model: { baseUrl: 'https://two.example' } }), {
      logger: false,
    });
    first.get(EgressHandlers).on(modelService, messages, () => ({ text: 'first' }));
    second.get(EgressHandlers).on(modelService, messages, (_, { url }) => ({ text: url.host }));
    const answers = [first, second].map((app) =>
      app.get(Answers, { strict: false }).model.invoke(messages, { question: '' }),
    );
    expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(['first', 'two.example']);
    await Promise.all([first.close(), second.close()]);
  });
});

describe('clear text', () => {
  const cleartext = { model: { baseUrl: 'http://api.provider.example', credentials: bearer(() => 'secret') } };

  it('is a warning in the log of the application', async () => {
    const warnings: unknown[][] = [];
    const ignore = (): void => undefined;
    const logger = { log: ignore, error: ignore, warn: (...words: unknown[]) => void warnings.push(words) };
    await boot(statically(cleartext), logger);
    expect(warnings).toEqual([[expect.stringContaining('[egress_cleartext]'), 'EgressHttpModule']]);
  });

  it('is refused in production', () => {
    expect(() => statically(cleartext, { production: true })).toThrow(/^\[egress_cleartext\]/);
  });
});

describe('the manifest', () => {
  it('says what may leave, where to, and who accepted it, as JSON without secrets', async () => {
    const acknowledgeDataEgress = { by: 'DPO', reason: 'contract', on: '2024-01-01' };
    const services = {
      weather: { baseUrl: 'https://weather.example', credentials: bearer(() => 'secret-key') },
      model: { ...sensitive, acknowledgeDataEgress },
    };
    const app = await boot(statically(services));
    const manifest = app.get(EgressManifest);
    expect(JSON.parse(JSON.stringify(manifest))).toEqual({
      services: [
        {
          name: 'model',
          origin: 'https://api.provider.example',
          basePath: '/base',
          sensitive: true,
          acknowledged: acknowledgeDataEgress,
          operations: [
            { name: 'messages', method: 'POST', path: '/v1/messages' },
            { name: 'readFile', method: 'GET', path: '/v1/files/{id}' },
          ],
        },
        {
          name: 'weather',
          origin: 'https://weather.example',
          basePath: '/',
          sensitive: false,
          acknowledged: false,
          operations: [],
        },
      ],
    });
    expect(Object.isFrozen(manifest.services[0])).toBe(true);
  });
});
