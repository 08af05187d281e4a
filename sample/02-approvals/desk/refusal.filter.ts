import { Catch, HttpException, type ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { PaletteError } from 'nestjs-palette';

/** What the library refuses, under the status that its code stands for: another's conversation is 404. */
@Catch(PaletteError)
export class RefusalFilter extends BaseExceptionFilter {
  override catch({ code, message, status }: PaletteError, host: ArgumentsHost): void {
    super.catch(new HttpException({ code, message }, status), host);
  }
}
