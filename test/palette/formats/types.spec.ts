import type Anthropic from '@anthropic-ai/sdk';
import { ListToolsResultSchema, type Tool as McpSdkTool } from '@modelcontextprotocol/sdk/types.js';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { asSchema, generateText, jsonSchema, stepCountIs, tool, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  getPaletteToken,
  Operation,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  type Palette,
  type ToolCall,
} from 'nestjs-palette';
import type OpenAI from 'openai';
import { bootApplication, closeApplications } from '../../support/application.js';

class NoteDto {
  @IsString() title!: string;
  @IsOptional() @IsInt() priority?: number;
  @IsObject() labels!: Record<string, string>;
}

@Controller('notes')
class NotesController {
  @Operation({ description: 'Read a note.' }) @Get(':id') read(@Param('id') id: string): unknown {
    return { id };
  }
  @Operation({ description: 'Create a note.' }) @Post() create(@Body() note: NoteDto): unknown {
    return note;
  }
}

/** What is assigned here is checked by the compiler, what is called by the packages themselves. */
describe('a palette in the formats of public packages', () => {
  let palette: Palette;
  let dispatcher: OperationDispatcher;

  beforeEach(async () => {
    const palettes = [{ name: 'all', readOnly: false, include: [operationsUnder('')] }];
    const app = await bootApplication('express', {
      imports: [OperationsModule.forRoot({}), OperationsModule.forFeature({ palettes })],
      controllers: [NotesController],
    });
    palette = app.get<Palette>(getPaletteToken('all'), { strict: false });
    dispatcher = app.get(OperationDispatcher);
  });
  afterEach(closeApplications);

  it('is the tools of a request to OpenAI', () => {
    const request: OpenAI.Chat.Completions.ChatCompletionCreateParams = {
      model: 'any',
      messages: [],
      tools: palette.toOpenAI({ strict: true }),
    };
    const plain: OpenAI.Chat.Completions.ChatCompletionFunctionTool[] = palette.toOpenAI();
    expect(request.tools).toHaveLength(plain.length);
  });

  it('is the tools of a request to Anthropic', () => {
    const request: Anthropic.MessageCreateParams = {
      model: 'any',
      max_tokens: 1,
      messages: [],
      tools: palette.toAnthropic(),
    };
    const tools: Anthropic.Tool[] = palette.toAnthropic();
    expect(request.tools).toEqual(tools);
  });

  it('is a result of tools/list, as the MCP SDK reads it', () => {
    const tools: McpSdkTool[] = palette.toMcp();
    expect(ListToolsResultSchema.parse({ tools })).toEqual({ tools });
  });

  it('is a tool set of the AI SDK, each with the schema as it is', async () => {
    const tools: ToolSet = palette.toAiSdk();
    const { create } = { create: tools['notes__create'] };
    const made = jsonSchema(palette.definitions[1]?.inputSchema as never);
    const read = asSchema(create?.inputSchema);
    expect(await read.jsonSchema).toEqual(await made.jsonSchema);
    expect(Reflect.ownKeys(made).every((key) => Reflect.has(read, key))).toBe(true);
    expect(read.validate).toBeUndefined();
    expect(tool(palette.toAiSdk()['notes__create'] as never)).toMatchObject({ description: 'Create a note.' });
  });

  it('is a Standard Schema with a JSON Schema for what else reads one', () => {
    const standard = palette.toAiSdk()['notes__read']?.inputSchema['~standard'];
    expect(standard?.jsonSchema.input()).toEqual(palette.definitions[0]?.inputSchema);
    expect(standard?.validate({ id: 'a' })).toEqual({ value: { id: 'a' } });
  });

  it('is run by the AI SDK through the application', async () => {
    const calls: ToolCall[] = [];
    const tools = palette.toAiSdk(async (call) => {
      calls.push(call);
      return (await dispatcher.dispatch(call, { palette, caller: { headers: {} } })).content;
    });
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV3({
      doGenerate: [
        {
          content: [
            {
              type: 'tool-call',
              toolCallId: 'c1',
              toolName: 'notes__create',
              input: '{"title":"a","labels":{"b":"c"}}',
            },
          ],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        },
        {
          content: [{ type: 'text', text: 'Done.' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage,
          warnings: [],
        },
      ],
    });
    const { text, steps } = await generateText({ model, tools, prompt: 'Create it.', stopWhen: stepCountIs(3) });
    expect(text).toBe('Done.');
    expect(calls).toEqual([{ id: 'c1', name: 'notes__create', arguments: { title: 'a', labels: { b: 'c' } } }]);
    expect(steps[0]?.toolResults[0]?.output).toEqual({ title: 'a', labels: { b: 'c' } });
    const told = model.doGenerateCalls[0]?.tools;
    expect(told).toMatchObject([
      { type: 'function', name: 'notes__read', inputSchema: palette.definitions[0]?.inputSchema },
      { type: 'function', name: 'notes__create', inputSchema: palette.definitions[1]?.inputSchema },
    ]);
  });
});
