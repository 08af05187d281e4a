import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsDate,
  IsDefined,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  MinLength,
  NotEquals,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

interface FieldOptions {
  readonly each?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
}

interface TextOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  readonly lower?: boolean;
}

interface CountOptions extends FieldOptions {
  readonly whole?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** The field may be left out; `IsOptional` would take null as well. */
export function Leavable(field: PropertyDecorator): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_object, value) => value !== undefined),
    field,
  );
}

export function TextField({ min = 1, max, lower, each = false, ...rest }: TextOptions = {}): PropertyDecorator {
  return applyDecorators(
    Type(() => String),
    IsString({ each }),
    Tidied(),
    presence({ each, ...rest }),
    MinLength(min, { each }),
    ...(max === undefined ? [] : [MaxLength(max, { each })]),
    ...(lower ? [Transform(({ value }) => lowered(value), { toClassOnly: true })] : []),
    documented(String, { each, ...rest }),
  );
}

export function CountField({ whole, min, max, each = false, ...rest }: CountOptions = {}): PropertyDecorator {
  return applyDecorators(
    Type(() => Number),
    presence({ each, ...rest }),
    ...(each ? [Listed()] : []),
    whole ? IsInt({ each }) : IsNumber({}, { each }),
    ...(min === undefined ? [] : [Min(min, { each })]),
    ...(max === undefined ? [] : [Max(max, { each })]),
    documented(Number, { each, ...rest }),
  );
}

export function FlagField(options: FieldOptions = {}): PropertyDecorator {
  const read = ({ value }: { value: unknown }): unknown =>
    value === 'true' ? true : value === 'false' ? false : value;
  return applyDecorators(
    Transform(read, { toClassOnly: true }),
    IsBoolean(),
    presence(options),
    documented(Boolean, options),
  );
}

export function ChoiceField(choices: () => object, { each = false, ...rest }: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    IsEnum(choices(), { each }),
    presence(rest),
    ...(each ? [Listed()] : []),
    ApiProperty({ enum: choices(), isArray: each }),
  );
}

export function PartField(
  part: () => new () => object,
  { each = false, ...rest }: FieldOptions = {},
): PropertyDecorator {
  return applyDecorators(
    Type(part),
    ValidateNested({ each }),
    IsDefined(),
    presence(rest),
    ApiProperty({ type: part, isArray: each }),
  );
}

export function MomentField(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Type(() => Date),
    IsDate(),
    presence(options),
    documented(Date, options),
  );
}

export function IdField({ each = false, ...rest }: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Type(() => String),
    IsUUID('4', { each }),
    presence(rest),
    documented(String, { each, ...rest }),
  );
}

export function MailField(options: TextOptions = {}): PropertyDecorator {
  return applyDecorators(IsEmail(), TextField({ lower: true, ...options }));
}

export function SecretField(options: TextOptions = {}): PropertyDecorator {
  return applyDecorators(TextField({ min: 6, ...options }), IsHardToGuess());
}

function presence({ nullable, each = false }: FieldOptions): PropertyDecorator {
  return nullable ? ValidateIf((_object, value) => value !== null, { each }) : NotEquals(null, { each });
}

function documented(type: unknown, { description, each, nullable }: FieldOptions): PropertyDecorator {
  return ApiProperty({
    type: type as never,
    isArray: each === true,
    nullable: nullable === true,
    ...(description === undefined ? {} : { description }),
  });
}

function Tidied(): PropertyDecorator {
  const tidy = (text: unknown): unknown => (typeof text === 'string' ? text.trim().replaceAll(/\s\s+/g, ' ') : text);
  return Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(tidy) : tidy(value)));
}

/** One value of a query string is a list of one. */
function Listed(): PropertyDecorator {
  const list = ({ value }: { value: unknown }): unknown =>
    value === undefined || Array.isArray(value) ? value : [value];
  return Transform(list, { toClassOnly: true });
}

function lowered(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function IsHardToGuess(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isHardToGuess',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: {
        validate: (value) => typeof value === 'string' && /\d/.test(value) && /[a-z]/i.test(value),
        defaultMessage: () => `${String(propertyName)} is easy to guess`,
      },
    });
}
