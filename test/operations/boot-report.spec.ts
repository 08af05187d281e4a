import { Body, Controller, Logger, Post } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  BootReport,
  ListQueryBody,
  Operation,
  OperationsModule,
  operationsUnder,
  PaletteBootError,
  QueryPolicy,
  type ListQuery,
  type OperationsModuleOptions,
} from 'nestjs-palette';
import { bootApplication, closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';

class OpenRead {
  @IsString() title!: string;
}

@QueryPolicy<ClosedRead>({ filterable: ['title'] })
class ClosedRead {
  @IsString() title!: string;
}

class NoteDto {
  @Transform(({ value }: { value: string }) => value.trim()) @IsString() title!: string;
}

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query' }) @Post('open') open(@ListQueryBody(OpenRead) query: ListQuery<OpenRead>): unknown {
    return query;
  }
  @Operation({ kind: 'query' }) @Post('closed') closed(
    @ListQueryBody(ClosedRead) query: ListQuery<ClosedRead>,
  ): unknown {
    return query;
  }
  @Operation() @Post() create(@Body() note: NoteDto): NoteDto {
    return note;
  }
}

@Controller('closed')
class ClosedController {
  @Operation({ kind: 'query' }) @Post() list(@ListQueryBody(ClosedRead) query: ListQuery<ClosedRead>): unknown {
    return query;
  }
}

describe.each(PLATFORMS)('the boot report on %s', (platform) => {
  afterEach(closeApplications);

  const boot = (controllers = [NotesController as never], options: OperationsModuleOptions = {}) =>
    bootApplication(platform, {
      imports: [
        OperationsModule.forRoot(options),
        OperationsModule.forFeature({ palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('')] }] }),
      ],
      controllers,
    });

  it('tells the tools of each palette, what schemas leave open, and which queries have no policy', async () => {
    const report = (await boot()).get(BootReport);
    expect(report.palettes).toEqual({ all: ['notes__open', 'notes__closed', 'notes__create'] });
    expect(report.gaps).toEqual([{ at: 'NoteDto.title', why: expect.stringContaining('@Transform') }]);
    expect(report.openQueries).toEqual([
      { at: 'NotesController.open', readModel: 'OpenRead', sentenceLength: expect.any(Number) },
    ]);
  });

  it('is logged once', async () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await boot();
    expect(log.mock.calls.map(([line]) => line)).toContain(
      '3 operations; palettes: "all" (notes__open, notes__closed, notes__create)',
    );
    expect(warn.mock.calls.map(([lines]) => String(lines))).toEqual([
      expect.stringMatching(/^1 schemas leave something open:\n {2}NoteDto.title: /),
      expect.stringMatching(/^1 queries have no policy.*:\n {2}NotesController.open: OpenRead, \d+ characters$/),
    ]);
  });

  it('says nothing of what is closed', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await boot([ClosedController as never]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is a refusal where a policy is required', async () => {
    const error = await catchError(() => boot([NotesController as never], { requirePolicy: true }));
    expect(PaletteBootError.isInstance(error) && error.faults.map(({ code }) => code)).toEqual([
      'query_policy_required',
    ]);
    expect(error.message).toContain('NotesController.open');
    await boot([ClosedController as never], { requirePolicy: true });
  });
});
