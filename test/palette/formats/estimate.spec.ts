import { Controller, Get, type INestApplication, type LoggerService } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { getPaletteToken, Operation, OperationsModule, operationsUnder, type Palette } from 'nestjs-palette';
import { bootApplication, closeApplications } from '../../support/application.js';

@Controller('notes')
class NotesController {
  @Operation({ description: 'Count notes.' }) @Get('count') count(): number {
    return 0;
  }
  @Operation({ description: 'x'.repeat(33_000) }) @Get('long') long(): void {}
}

interface Booted {
  readonly app: INestApplication;
  readonly warnings: string[];
}

async function boot(include: string[], definitionBudgetTokens?: number): Promise<Booted> {
  const warnings: string[] = [];
  const silent = (): void => undefined;
  const logger: LoggerService = {
    log: silent,
    error: silent,
    warn: (message: string, context: string) => warnings.push(`${context}: ${message}`),
  };
  const budget = definitionBudgetTokens === undefined ? {} : { definitionBudgetTokens };
  const palettes = [{ name: 'all', include: include.map((prefix) => operationsUnder(prefix)), ...budget }];
  const app = await bootApplication(
    'express',
    {
      imports: [OperationsModule.forRoot({}), OperationsModule.forFeature({ palettes })],
      controllers: [NotesController],
    },
    { configure: (each) => each.useLogger(logger) },
  );
  return { app, warnings };
}

const paletteOf = ({ app }: Booted): Palette => app.get<Palette>(getPaletteToken('all'), { strict: false });

describe('the size of a palette', () => {
  afterEach(closeApplications);

  it('is a token for four characters of each definition as OpenAI is told it', async () => {
    const palette = paletteOf(await boot(['']));
    const characters = palette.toOpenAI().map((tool) => JSON.stringify(tool).length);
    const tokens = characters.map((each) => Math.ceil(each / 4));
    const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
    expect(palette.estimate()).toEqual({
      definitions: [
        { name: 'notes__count', characters: characters[0], tokens: tokens[0] },
        { name: 'notes__long', characters: characters[1], tokens: tokens[1] },
      ],
      filterGrammar: undefined,
      characters: sum(characters),
      tokens: sum(tokens),
    });
  });

  it('is warned of once at boot where it is past 8,000 tokens', async () => {
    const { warnings, app } = await boot(['']);
    expect(warnings).toEqual([expect.stringMatching(/^Palette: Palette "all" tells a model about 8\d\d\d tokens/)]);
    paletteOf({ app, warnings }).estimate();
    expect(warnings).toHaveLength(1);
  });

  it('is not warned of within the budget, the default or another', async () => {
    expect((await boot(['notes.count'])).warnings).toEqual([]);
    expect((await boot([''], 9_000)).warnings).toEqual([]);
    expect((await boot([''], Infinity)).warnings).toEqual([]);
  });

  it('is warned of past a budget of its own', async () => {
    expect((await boot(['notes.count'], 10)).warnings).toEqual([
      expect.stringContaining('more than its budget of 10. Include fewer operations, share the filter grammar'),
    ]);
  });
});
