import {
  BadRequestException,
  HttpStatus,
  Injectable,
  NotAcceptableException,
  ParseUUIDPipe,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type Type,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';

/** Takes each source for a class of its own: a generic controller's parameters have none. */
@Injectable()
export class SourceTypesPipe extends ValidationPipe {
  constructor(
    options: ValidationPipeOptions,
    private readonly types: { readonly body?: Type; readonly query?: Type; readonly param?: Type },
  ) {
    super(options);
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type } = metadata;
    const metatype = type === 'custom' ? undefined : this.types[type];
    return super.transform(value, metatype === undefined ? metadata : { ...metadata, metatype }) as Promise<unknown>;
  }
}

/** Nest's, but for the status. */
@Injectable()
export class RowIdPipe extends ParseUUIDPipe {
  constructor() {
    super({
      errorHttpStatusCode: HttpStatus.NOT_ACCEPTABLE,
      exceptionFactory: () => new NotAcceptableException('No such id'),
    });
  }
}

/** As it was written before Nest had one. */
@Injectable()
export class HandmadePipe implements PipeTransform {
  async transform(value: unknown, { metatype }: ArgumentMetadata): Promise<unknown> {
    if (metatype === undefined || [String, Boolean, Number, Array, Object].some((type) => type === metatype))
      return value;
    if (value === undefined) throw new BadRequestException('No data');
    const errors = await validate(plainToInstance(metatype as Type<object>, value));
    if (errors.length > 0) throw new BadRequestException(errors.map(({ property }) => `${property} is wrong`));
    return value;
  }
}
