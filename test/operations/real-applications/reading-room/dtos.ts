import { ApiPropertyOptional } from '@nestjs/swagger';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsEnum, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  ChoiceField,
  CountField,
  FlagField,
  IdField,
  Leavable,
  MailField,
  MomentField,
  PartField,
  SecretField,
  TextField,
} from './fields.js';

export enum Role {
  Reader = 'READER',
  Keeper = 'KEEPER',
}

export enum Language {
  English = 'en_US',
  Russian = 'ru_RU',
}

export enum Direction {
  Up = 'ASC',
  Down = 'DESC',
}

export class PageOptionsDto {
  @ApiPropertyOptional({ enum: Direction, default: Direction.Up })
  @IsEnum(Direction)
  @IsOptional()
  readonly direction: Direction = Direction.Up;

  @ApiPropertyOptional({ minimum: 1, default: 1 })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @IsOptional()
  readonly page: number = 1;

  @ApiPropertyOptional({ minimum: 1, maximum: 50, default: 10, description: 'How many at once.' })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(50)
  @IsOptional()
  readonly take: number = 10;

  get skip(): number {
    return (this.page - 1) * this.take;
  }

  @ApiPropertyOptional()
  @IsString()
  @IsNotEmpty()
  @IsOptional()
  readonly q?: string;
}

export class ReadersPageOptionsDto extends PageOptionsDto {
  @Leavable(ChoiceField(() => Role, { each: true })) readonly roles?: Role[];
  @Leavable(FlagField()) readonly active?: boolean;
  @Leavable(CountField({ whole: true, min: 1900, each: true })) readonly years?: number[];
}

export class SignUpDto {
  @TextField({ max: 30 }) readonly firstName!: string;
  @TextField({ nullable: true }) readonly lastName!: string | null;
  @MailField({ description: 'Where letters go.' }) readonly mail!: string;
  @SecretField() readonly secret!: string;
  @Leavable(MomentField()) readonly born?: Date;
}

export class SignInDto {
  @MailField() readonly mail!: string;
  @TextField() readonly secret!: string;
}

export class WordingDto {
  @ChoiceField(() => Language) readonly language!: Language;
  @TextField({ max: 200 }) readonly text!: string;
}

export class EntryDto {
  @PartField(() => WordingDto, { each: true }) readonly title!: WordingDto[];
  @PartField(() => WordingDto) readonly summary!: WordingDto;
  @Leavable(IdField({ each: true })) readonly related?: string[];
  @Leavable(CountField({ min: 0, max: 5, nullable: true })) readonly rating?: number | null;
}

/** What is answered: never the secret, and under another name. */
export class ReaderDto {
  @Expose() readonly id!: string;
  @Expose({ name: 'name' }) readonly fullName!: string;
  @Expose() readonly role!: Role;
  @Exclude() readonly secret!: string;

  constructor(fields: Partial<ReaderDto>) {
    Object.assign(this, fields);
  }
}
