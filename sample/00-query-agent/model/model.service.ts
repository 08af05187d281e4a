import { Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { egressOperation, egressService } from 'nestjs-palette';

export class ModelArgs {
  @IsString() question!: string;
  /** Tool definitions, as the palette has them. */
  @IsArray() @IsObject({ each: true }) tools!: object[];
}

export class ModelToolCall {
  @IsString() id!: string;
  @IsString() name!: string;
  /** JSON, as text. */
  @IsString() arguments!: string;
}

export class ModelReply {
  @IsOptional() @IsString() text?: string;
  @IsOptional() @ValidateNested() @Type(() => ModelToolCall) toolCall?: ModelToolCall;
}

export class AnswerArgs {
  @IsString() question!: string;
  /** What the tool answered, as JSON text. */
  @IsString() result!: string;
}

/** A question and the tools in, one reply out: text, or the call of one tool. */
export const messages = egressOperation({
  name: 'messages',
  method: 'POST',
  path: '/v1/messages',
  args: ModelArgs,
  returns: ModelReply,
});

/** The question and a tool's result in, the answer out as server-sent events `{"delta": "..."}`, ended by `[DONE]`. */
export const answers = egressOperation({ name: 'answers', method: 'POST', path: '/v1/answers', args: AnswerArgs });

export const modelService = egressService({ name: 'model', operations: [messages, answers] });
