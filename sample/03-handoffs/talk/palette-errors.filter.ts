import { Catch, HttpException, type ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { PaletteError } from 'nestjs-palette';

/** Every error of the library has a status: somebody else's conversation is 404, one that is being answered 409. */
@Catch(PaletteError)
export class PaletteErrors extends BaseExceptionFilter {
  override catch({ code, status }: PaletteError, host: ArgumentsHost): void {
    super.catch(new HttpException({ code }, status), host);
  }
}
