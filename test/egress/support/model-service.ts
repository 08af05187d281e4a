import { Type } from 'class-transformer';
import { IsArray, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { egressOperation, egressService } from '../../../lib/egress/index.js';

export class ModelArgs {
  @IsString() question!: string;
  @IsOptional() @IsArray() tools?: unknown[];
}

export class ToolCall {
  @IsString() name!: string;
  @IsObject() arguments!: object;
}

export class ModelReply {
  @IsString() text!: string;
  @IsOptional() @ValidateNested() @Type(() => ToolCall) toolCall?: ToolCall;
}

export class FileArgs {
  @IsString() id!: string;
  @IsOptional() @IsInt() limit?: number;
  @IsOptional() @IsString() tenant?: string;
}

export class FileReply {
  @IsString() id!: string;
}

export const messages = egressOperation({
  name: 'messages',
  method: 'POST',
  path: '/v1/messages',
  args: ModelArgs,
  returns: ModelReply,
});

export const readFile = egressOperation({
  name: 'readFile',
  method: 'GET',
  path: '/v1/files/{id}',
  args: FileArgs,
  returns: FileReply,
  query: ['limit'],
  headers: { 'x-tenant': 'tenant' },
});

export const modelService = egressService({ name: 'model', operations: [messages, readFile] });
