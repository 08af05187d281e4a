import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsHexColor,
  IsInt,
  IsLatitude,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

export enum Currency {
  Euro = 'EUR',
  Pound = 'GBP',
}

export enum Priority {
  Low,
  Middle,
  High,
}

const flag = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? ['true', '1'].includes(value) : value;

/** What every row belongs to. */
export class TenantDto {
  @ApiPropertyOptional({ type: () => String }) @IsOptional() @IsUUID() readonly tenantId?: string;
  @ApiProperty({ type: () => String }) @IsUUID() readonly organizationId!: string;
}

/** Of a query; what the filter holds, each resource knows by itself. */
export class PageParamsDto<Row> {
  @ApiPropertyOptional({ type: () => [String] })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(5)
  readonly relations?: string[];
  @ApiPropertyOptional({ type: () => Boolean })
  @IsOptional()
  @Transform(flag)
  @IsBoolean()
  readonly withDeleted?: boolean;
  @ApiPropertyOptional({ type: () => Number })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  readonly take: number = 20;
  @ApiPropertyOptional({ type: () => Number })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly skip?: number;
  @ApiPropertyOptional({ type: () => Object }) @IsOptional() @IsObject() readonly where?: Partial<Row>;
}

export class CountDto extends PickType(PageParamsDto, ['withDeleted', 'where'] as const) {}

export class TagDto {
  @ApiProperty() @IsString() @Length(1, 20) readonly name!: string;
  @ApiPropertyOptional() @IsOptional() @IsHexColor() readonly color?: string;
}

export class TaskFieldsDto {
  @ApiProperty() @IsNotEmpty() @IsString() readonly title!: string;
  @ApiProperty({ enum: Priority }) @IsEnum(Priority) readonly priority!: Priority;
  @ApiPropertyOptional() @IsOptional() @IsNumber({ maxDecimalPlaces: 2 }) @IsPositive() readonly estimate?: number;
  @ApiPropertyOptional() @IsOptional() @IsDateString() readonly dueDate?: string;
  @ApiPropertyOptional({ type: () => [TagDto] })
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => TagDto)
  readonly tags?: TagDto[];
  @ApiPropertyOptional({ type: () => [String] })
  @IsOptional()
  @IsUUID('4', { each: true })
  readonly memberIds?: string[];
}

export class CreateTaskDto extends IntersectionType(TaskFieldsDto, TenantDto) {}
export class UpdateTaskDto extends PartialType(OmitType(CreateTaskDto, ['organizationId'] as const)) {}

export class ContactFieldsDto {
  @ApiProperty() @IsString() readonly name!: string;
  @ApiPropertyOptional() @IsOptional() @IsEmail() readonly mail?: string;
  @ApiPropertyOptional() @IsOptional() @IsUrl() readonly website?: string;
  @ApiPropertyOptional() @IsOptional() @IsLatitude() readonly latitude?: number;
  @ApiProperty() @IsBoolean() readonly hasMail!: boolean;
  @ApiPropertyOptional()
  @ValidateIf((contact: ContactFieldsDto) => contact.hasMail)
  @IsEmail()
  readonly billing?: string;
}

export class InvoiceLineDto {
  @ApiProperty() @IsString() readonly what!: string;
  @ApiProperty() @IsInt() @Min(1) readonly count!: number;
  @ApiProperty() @IsNumber() readonly price!: number;
}

export class InvoiceFieldsDto {
  @ApiProperty() @Matches(/^[A-Z]{2}-\d{4}$/) readonly number!: string;
  @ApiProperty({ enum: Currency }) @IsEnum(Currency) readonly currency!: Currency;
  @ApiProperty({ type: () => [InvoiceLineDto] })
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => InvoiceLineDto)
  readonly lines!: InvoiceLineDto[];
  @ApiPropertyOptional({ type: () => ContactFieldsDto })
  @IsOptional()
  @ValidateNested()
  @Type(() => ContactFieldsDto)
  readonly to?: ContactFieldsDto;
}

/** An account in an envelope, as forms send it. */
export class AccountDto {
  @IsNotEmpty() readonly username!: string;
  @IsNotEmpty() readonly mail!: string;
  @IsNotEmpty() readonly secret!: string;
}
