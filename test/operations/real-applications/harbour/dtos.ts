import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Exclude, Expose, plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsEmail,
  IsEnum,
  IsIn,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNumber,
  IsOptional,
  IsString,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

export enum Rank {
  Captain = 1,
  Mate = 2,
}

export class RankDto {
  @ApiProperty({ enum: Rank }) @IsEnum(Rank) id!: Rank;
  name?: string;
}

export class StatusDto {
  @ApiProperty() @IsNumber() id!: number;
}

export class PhotoDto {
  @ApiProperty() @IsString() id!: string;
  @ApiProperty() path!: string;
}

const lowerCase = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.toLowerCase().trim() : value;

/** Some of it validated, some documented alone, some neither. */
export class CreateSailorDto {
  @ApiProperty({ example: 'ada@example.com', type: String })
  @Transform(lowerCase)
  @IsNotEmpty()
  @IsEmail()
  mail!: string | null;

  @ApiProperty() @MinLength(6) secret?: string;

  provider?: string;

  @ApiProperty({ example: 'Ada', type: String }) @IsNotEmpty() firstName!: string | null;
  @ApiProperty({ example: 'King', type: String }) @IsNotEmpty() lastName!: string | null;

  @ApiPropertyOptional({ type: () => PhotoDto }) @IsOptional() photo?: PhotoDto | null;

  @ApiPropertyOptional({ type: RankDto }) @IsOptional() @Type(() => RankDto) rank?: RankDto | null;

  @ApiPropertyOptional({ type: StatusDto }) @IsOptional() @ValidateNested() @Type(() => StatusDto) status?: StatusDto;
}

export class UpdateSailorDto extends PartialType(CreateSailorDto) {}

export class SailorFilterDto {
  @ApiPropertyOptional({ type: RankDto, isArray: true })
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => RankDto)
  ranks?: RankDto[] | null;
}

export class SailorSortDto {
  @ApiProperty() @Type(() => String) @IsString() orderBy!: string;
  @ApiProperty() @IsIn(['ASC', 'DESC']) order!: string;
}

/** Objects travel in the query as JSON, and are made instances by hand. */
export class QuerySailorsDto {
  @ApiPropertyOptional({ type: Number })
  @Transform(({ value }: { value: unknown }) => (value ? Number(value) : 1))
  @IsNumber()
  @IsOptional()
  page?: number;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @Transform(({ value }: { value: string }) =>
    value ? plainToInstance(SailorFilterDto, JSON.parse(value)) : undefined,
  )
  @ValidateNested()
  @Type(() => SailorFilterDto)
  filters?: SailorFilterDto | null;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @Transform(({ value }: { value: string }) =>
    value ? plainToInstance(SailorSortDto, JSON.parse(value) as unknown[]) : undefined,
  )
  @ValidateNested({ each: true })
  @Type(() => SailorSortDto)
  sort?: SailorSortDto[] | null;
}

export class CrateDto {
  @ApiProperty() @IsString() @IsNotEmpty() content!: string;
  @ApiProperty() @IsNumber() @Min(0) weight!: number;
}

export class HoldDto {
  @ApiProperty({ type: [CrateDto] })
  @IsArray()
  @ArrayNotEmpty()
  @ValidateNested({ each: true })
  @Type(() => CrateDto)
  crates!: CrateDto[];
  @ApiPropertyOptional({ type: () => [HoldDto] })
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => HoldDto)
  below?: HoldDto[];
}

export class ShipDto {
  @ApiProperty({ type: () => HoldDto }) @ValidateNested() @Type(() => HoldDto) @IsNotEmptyObject() hold!: HoldDto;
  @ApiProperty() @IsString() name!: string;
  @ApiProperty() @IsBoolean() isAtSea!: boolean;
  @ApiPropertyOptional() @IsOptional() @IsString() note?: string;
}

export class PortDto {
  @ApiProperty({ description: 'Where it lies.' }) @IsString() port!: string;
}

/** Some of a ship and where it lies. */
export class BerthDto extends IntersectionType(PickType(ShipDto, ['name'] as const), OmitType(PortDto, [] as const)) {}

/** What is answered, by who asks. */
export class Sailor {
  id!: string;
  @Expose({ groups: ['me', 'admin'] }) mail!: string | null;
  @Exclude({ toPlainOnly: true }) secret?: string;
  @Expose() get label(): string {
    return `Sailor ${this.id}`;
  }

  constructor(fields: Partial<Sailor>) {
    Object.assign(this, fields);
  }
}
