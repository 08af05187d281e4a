import { Exclude } from 'class-transformer';
import { IsArray, IsBoolean, IsDate, IsEnum, IsInt, IsNumber, IsOptional, IsString, IsUUID } from 'class-validator';
import { BootFaults } from '../../lib/common/index.js';
import {
  QueryPolicy,
  resolveQueryPolicy,
  type QueryPolicyAxes,
  type ResolvedQueryPolicy,
} from '../../lib/query/index.js';
import type { Type } from '@nestjs/common';

export enum Status {
  Draft = 'draft',
  Published = 'published',
}

export enum Level {
  Low = 1,
  High = 2,
}

/** A read model with a field of every kind, one of no kind, and one that is never answered. */
export class ProductRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() @IsOptional() sku!: string | null;
  @IsNumber() price!: number;
  @IsInt() stock!: number;
  @IsString() cost!: string;
  @IsString() views!: string;
  @IsBoolean() sold!: boolean;
  @IsEnum(Status) status!: Status;
  @IsEnum(Level) level!: Level;
  @IsString() released!: string;
  @IsDate() createdAt!: Date;
  @IsArray() tags!: string[];
  @Exclude() @IsString() secret!: string;
}

export const PRODUCT_KINDS = { cost: 'decimal', views: 'bigint', released: 'date' } as const;

/** The policy of the products under some options; fails where the options are faulty. */
export function productPolicy(options: QueryPolicyAxes<string> = {}): ResolvedQueryPolicy {
  return policyOf(ProductRead, { kinds: PRODUCT_KINDS, ...options });
}

export function policyOf(readModel: Type, options?: QueryPolicyAxes<string>): ResolvedQueryPolicy {
  const faults = new BootFaults();
  const policy = resolveQueryPolicy(readModel, { faults, where: 'test' }, options);
  faults.throwIfAny();
  return policy;
}

/** The read model of the recipe. */
@QueryPolicy({ filterable: ['title', 'category'], sortable: ['title'], aggregatable: ['category'] })
export class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() category!: string;
  @IsString() body!: string;
}
