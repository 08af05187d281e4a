import { Body, Controller, Get, HttpCode, Param, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { Caller, type CallerContext, type ModelMessage, type Principal } from 'nestjs-palette';
import { StaffGuard, type StaffRequest } from '../staff/staff.guard.js';
import { DeskService, type Turn } from './desk.service.js';
import { RefusalFilter } from './refusal.filter.js';

export class MessageDto {
  @IsString() @MaxLength(500) text!: string;
}

@Controller('conversations/:conversation/messages')
@UseGuards(StaffGuard)
@UseFilters(RefusalFilter)
export class ConversationsController {
  constructor(private readonly desk: DeskService) {}

  @Post()
  @HttpCode(200)
  say(
    @Param('conversation') conversation: string,
    @Body() { text }: MessageDto,
    @Caller() caller: CallerContext,
    @Req() { user }: StaffRequest,
  ): Promise<Turn> {
    return this.desk.say(conversation, text, user as Principal, caller);
  }

  @Get()
  async messages(
    @Param('conversation') conversation: string,
    @Req() { user }: StaffRequest,
  ): Promise<{ readonly messages: readonly ModelMessage[] }> {
    return { messages: await this.desk.messages(conversation, user as Principal) };
  }
}
